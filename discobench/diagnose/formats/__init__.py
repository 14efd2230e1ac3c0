"""Formats of contrastive sets; a new format is one file here, named as the configuration names it."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from discobench.diagnose.builder import Plan
from discobench.sieve import Outcome
from discobench.tasks.base import Task

FORMATS = frozenset(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))


def read(name: str, task: Task, path: Path, plan: Plan) -> Iterator[Outcome]:
    """Instances of the suite at ``path`` in their order, or why one of them cannot be used.

    A format is a module with ``read(task, path, plan)``; ``plan`` is for those that make their own
    wrong candidates. An instance that is dropped needs ``id`` and ``source`` only. Raises DiscoError
    naming a file that is not of the format.
    """
    outcomes: Iterator[Outcome] = import_module(f"{__name__}.{name}").read(task, path, plan)
    return outcomes
