"""Formats of files that tasks are read from; a new format is one file here, named as the configuration names it."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from discobench.sieve import Outcome
from discobench.tasks.base import Task

FORMATS = frozenset(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))


def read(name: str, task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Records of ``task`` in the files of ``folder``, in their order, or why one of them cannot be used.

    A format is a module with ``read(task, folder, splits)``; it need not read what is only for other
    splits. Its records have every field of the task's schema;
    ``split`` is null where the files do not say it, and then goes by the work. A record that is
    dropped needs ``id`` and ``source`` only. Raises DiscoError naming a file that is not of the format.
    """
    module = import_module(f"{__name__}.{name}")
    outcomes: Iterator[Outcome] = module.read(task, folder, splits)
    return outcomes
