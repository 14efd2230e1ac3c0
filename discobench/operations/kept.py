"""The last good version of outputs: Snakemake removes those of a job before it starts, and again where it fails.

Its own ``update`` restores them, but then takes the job that failed for one that succeeded (seen with 9.27).
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

LONG_AGO = (1, 1)


def keep(outputs: Iterable[Path], folder: Path) -> None:
    """Copy files to ``folder``, in which nothing else stays."""
    folder.mkdir(parents=True, exist_ok=True)
    files = list(outputs)
    for path in files:
        _copy(path, folder)
    for old in {*folder.iterdir()} - {folder / path.name for path in files}:
        old.unlink()


def put_back(folder: Path, place: Path) -> bool:
    """Copy what is kept in ``folder`` to ``place``, where that has lost it; whether anything was.

    The copies are older than any input, so that the job runs again.
    """
    kept = folder.iterdir() if folder.is_dir() else ()
    lost = [path for path in kept if not (place / path.name).exists()]
    for path in lost:
        place.mkdir(parents=True, exist_ok=True)
        os.utime(_copy(path, place), LONG_AGO)
    return bool(lost)


def _copy(path: Path, folder: Path) -> Path:
    beside = folder / f"{path.name}.part"
    shutil.copyfile(path, beside)
    return beside.replace(folder / path.name)
