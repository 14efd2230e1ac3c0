"""Random choices that are the same on every machine."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import yaml

from discobench.files import read_text

HERE = Path(__file__).parent
T = TypeVar("T")


def rng(*names: object) -> Random:
    """A generator named by what it is for, so that one file's texts do not depend on another's."""
    return Random(":".join(map(str, ("demo", *names))))


@cache
def seed(name: str) -> Any:
    """The hand-written material ``seeds/<name>.yaml``."""
    return yaml.safe_load(read_text(HERE / "seeds" / f"{name}.yaml"))


def usually(draw: Random, options: Sequence[T], share: float = 0.8) -> T:
    """The first option with probability ``share``, else any."""
    return options[0] if draw.random() < share else draw.choice(options)
