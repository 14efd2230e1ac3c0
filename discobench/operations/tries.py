"""Who is at work on a job, and how long its tries took that came to no end: a file beside the job's log."""

import os
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from discobench.files import read_json, write_json
from discobench.owners import Owner, this_process


@dataclass(frozen=True, slots=True)
class Try:
    """A try that has begun (seconds since the epoch); ``before`` are the seconds of those before it that failed.

    ``final`` where no other try would help.
    """

    owner: Owner
    begun: float
    before: float
    final: bool = False


def begin(log: Path) -> float:
    """Note that this process is at work now; returns the seconds of the tries before, by the last words of each."""
    last = read(log)
    before = last.before + max(0.0, _said(log, last.begun) - last.begun) if last else 0.0
    _write(log, Try(this_process(), time.time(), before))
    return before


def done(log: Path) -> None:
    """The try has come to a good end."""
    _file(log).unlink(missing_ok=True)


def give_up(log: Path) -> None:
    """No other try of this job will help."""
    if last := read(log):
        _write(log, replace(last, final=True))


def read(log: Path) -> Try | None:
    """The try of a job that has begun and come to no good end."""
    if not _file(log).exists():
        return None
    told = read_json(_file(log))
    return Try(**told | {"owner": Owner(**told["owner"])})


def noted(log: Path) -> float:
    """When the try that ``read`` gives was noted, by the clock of the disk, on which marks of results lie too."""
    return _file(log).stat().st_mtime


def settled(log: Path, since: float) -> bool:
    """Whether no other try helps, as one has said since a time of the disk's clock: see ``now``."""
    last = read(log)
    return bool(last and last.final and noted(log) >= since)


def now(folder: Path) -> float:
    """The time by the clock of the disk: that of the machine that asks may differ from that of the one that notes."""
    with tempfile.TemporaryFile(dir=folder) as new:
        return os.fstat(new.fileno()).st_mtime


def _write(log: Path, what: Try) -> None:
    write_json(_file(log), asdict(what))


def _said(log: Path, otherwise: float) -> float:
    return log.stat().st_mtime if log.exists() else otherwise


def _file(log: Path) -> Path:
    return log.with_suffix(".begun.json")
