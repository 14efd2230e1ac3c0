"""Tries of one training run: one that brought nothing is not worth another with the same means.

A try that SIGTERM ends, as Slurm does at the wall-time limit, says so beside its log at once: what is to be saved may
take longer than it is given. One that is killed for memory cannot say anything.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from discobench.errors import FinalError
from discobench.files import fingerprint, read_json, write_json
from discobench.termination import TERMINATED, on_termination

FILE = "attempt.json"
OTHERS = (FILE, "identity.json", "owner.json", "lock", "job.json", "job.answer.json")
"""Files of a state folder that are no sign of progress."""
MEANS = ("mem_mb", "runtime")


@contextmanager
def tried(state: Path, resources: Any, log: Path) -> Iterator[None]:
    """A try to train in ``state`` with the ``resources`` attempt, mem_mb (MB) and runtime (minutes).

    SIGTERM ends it with 143 where nothing inside has something to save first.

    Attempts of one command count from 1: whoever gives the command again is not stopped.
    Raises FinalError when the try before left no newer checkpoint and this one has nothing more than it had.
    """
    if resources.attempt == 1:
        _note(log).unlink(missing_ok=True)
    given = {name: int(getattr(resources, name, 0)) for name in MEANS}
    now = {"seen": _seen(state), "given": given}
    before = read_json(state / FILE) if resources.attempt > 1 and (state / FILE).exists() else None
    if before and before["seen"] == now["seen"] and not _more(given, before["given"]):
        raise FinalError(
            f"the attempt before this one brought no newer checkpoint into {state} and this one has no more memory or "
            "time than it had; read the log of that attempt, lower save_every, or raise the rule's limits in "
            "resources/jobs.yaml and profiles/slurm/cluster.yaml."
        )
    write_json(state / FILE, now)
    with on_termination(lambda: _stop(log, resources.attempt)):
        yield
    (state / FILE).unlink(missing_ok=True)  # whoever clears the states of a run may do so meanwhile


def stopped(log: Path, attempt: int) -> int:
    """How many attempts before ``attempt`` of the job with this log were ended by SIGTERM."""
    return sum(number < attempt for number in _told(log))


def _stop(log: Path, attempt: int) -> None:
    write_json(_note(log), sorted({*_told(log), attempt}))
    raise SystemExit(TERMINATED)


def _told(log: Path) -> list[int]:
    return read_json(_note(log)) if _note(log).exists() else []


def _note(log: Path) -> Path:
    return log.with_suffix(".stopped.json")


def _more(given: Mapping[str, int], before: Mapping[str, int]) -> bool:
    return any(value > before.get(name, 0) for name, value in given.items())


def _seen(state: Path) -> str:
    """Names, sizes and times of the checkpoints in ``state``."""
    files = sorted(path for path in state.rglob("*") if path.is_file() and path.name not in OTHERS)
    kept = [path for path in files if not any(p.startswith(".writing-") for p in path.relative_to(state).parts)]
    return fingerprint([[str(p.relative_to(state)), p.stat().st_size, p.stat().st_mtime_ns] for p in kept])
