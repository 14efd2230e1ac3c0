"""Stage tasks: records of the nine data sets, and what each task means."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discobench.tasks.base import Task

VERSION = 3
FACTS = ("formulation", "languages", "schema", "metrics")
"""What every task says of itself beside its name."""


def task(name: str) -> Task:
    """The task called ``name``; raises DiscoError with the nearest known name, or with what the class does not say."""
    from discobench.errors import DiscoError
    from discobench.registry import load
    from discobench.tasks.base import Task

    found = load(sys.modules[__name__], name, Task)  # type: ignore[type-abstract]
    unsaid = [fact for fact in FACTS if not hasattr(found, fact)]
    if unsaid:
        raise DiscoError(f"discobench/tasks/{name}.py: {type(found).__name__} has no {', '.join(unsaid)}; add them.")
    return found
