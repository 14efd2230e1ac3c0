"""The learner of each formulation that is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.models.base import Learner, Settings
from discobench.models.learners.choice import ChoiceLearner
from discobench.models.learners.gaps import GapsLearner
from discobench.models.learners.reading import Backbone
from discobench.models.learners.span import SpanLearner

READERS: dict[str, Callable[..., Learner]] = {"span": SpanLearner, "gaps": GapsLearner, "choice": ChoiceLearner}


def reader(backbone: Backbone, tokenizer: Any, settings: Settings, folder: Path, seed: int) -> Learner:
    """A learner over ``backbone`` with the head in ``folder``, or a new one drawn from ``seed``."""
    if settings.formulation not in READERS:
        raise DiscoError(f"formulation {settings.formulation!r} cannot be read; known: {', '.join(READERS)}.")
    return READERS[settings.formulation](backbone, tokenizer, settings, folder, seed)
