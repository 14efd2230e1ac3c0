"""Stage tasks: records of the nine data sets, and what each task means."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discobench.tasks.base import Task

VERSION = 2


def task(name: str) -> Task:
    """The task called ``name``; raises DiscoError with the nearest known name."""
    from discobench.registry import load
    from discobench.tasks.base import Task

    return load(sys.modules[__name__], name, Task)  # type: ignore[type-abstract]
