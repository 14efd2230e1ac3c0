"""Results that Snakemake has marked as being made, and whether anybody still makes them.

A mark outlives a job that was killed together with the command that gave it.
"""

import base64
import json
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from discobench.files import read_json
from discobench.operations import tries
from discobench.operations.queue import Queued
from discobench.owners import Owner

STARTING = 60.0
"""Seconds in which a job that has begun says who it is."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A result whose job has begun and not ended, since when (seconds since the epoch), and by which job of a cluster.

    A job of Slurm's loses its number here once it runs.
    """

    result: str
    since: float
    job: str | None = None


@dataclass(frozen=True, slots=True)
class Making:
    """How a marked result is: ``running``, ``waiting`` in a queue, ``stopped`` or ``unknown``; its job's log if any.

    Unknown is a job of another machine, or in the queue of a scheduler, where no scheduler tells of it.
    """

    state: str
    log: Path | None = None


def marks(folder: Path) -> Iterator[Mark]:
    """The marks of Snakemake 9 in ``folder``: files of JSON, named after results in base64."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        code = "".join(part.removeprefix("@") for part in path.relative_to(folder).parts)
        try:
            told, since = json.loads(path.read_bytes() or b"{}"), path.stat().st_mtime
        except (ValueError, FileNotFoundError):
            continue  # it is being written or has just gone
        result = base64.urlsafe_b64decode(code).decode(errors="backslashreplace")
        yield Mark(result, since, told.get("external_jobid"))


def making(
    marked: Iterable[Mark], logs: Path, jobs: Iterable[Queued] | None, now: Callable[[], float] = time.time
) -> dict[str, Making]:
    """How each marked result is; ``jobs`` are those of Slurm, None where it does not answer."""
    queue = None if jobs is None else {job.number: job.state for job in jobs}
    places = logs_of_results(logs)
    return {mark.result: Making(_state(mark, place := places.get(mark.result), queue, now()), place) for mark in marked}


def logs_of_results(logs: Path) -> dict[str, Path]:
    """The log of the job that makes a result, as far as jobs have begun."""
    found: dict[str, Path] = {}
    for path in sorted(logs.rglob("*.job.json")):
        log = path.with_name(path.name.removesuffix(".job.json") + ".log")
        found |= dict.fromkeys(_results(path), log)
    return found


def _results(job: Path) -> list[str]:
    outputs = read_json(job)["output"].values()
    return [result for output in outputs for result in ([output] if isinstance(output, str) else output)]


def failed(made: Mapping[str, Making], logs: Path) -> list[Path]:
    """The logs of jobs whose last try came to no good end, that nobody makes or was stopped in making.

    Snakemake deletes what a job that failed had made: where all is there, another try has ended well.
    """
    known = {one.log for one in made.values()}
    begun = (path.with_name(path.name.removesuffix(".begun.json") + ".log") for path in logs.rglob("*.begun.json"))
    left = (log for log in begun if log not in known and log.exists() and not _lives(log))
    return sorted(log for log in left if not _made(log.with_suffix(".job.json")))


def _made(job: Path) -> bool:
    return job.exists() and all(Path(result).exists() for result in _results(job))


def _lives(log: Path) -> bool:
    last = tries.read(log)
    return last is None or (last.owner.here and last.owner.lives)


def at_work(results: Collection[str], logs: Path) -> dict[Path, Owner]:
    """Processes of this machine, by the log of their job, that still make some of ``results`` and are in no queue."""
    places = {log for result, log in logs_of_results(logs).items() if result in results}
    begun = {log: last.owner for log in sorted(places) if (last := tries.read(log))}
    return {log: owner for log, owner in begun.items() if owner.job is None and owner.here and owner.lives}


def that_make(
    jobs: Iterable[Queued], results: Collection[str], marked: Iterable[Mark], logs: Path
) -> tuple[list[Queued], list[Queued]]:
    """Those of ``jobs`` of Slurm's that make some of ``results``, and those of which nothing says what they make."""
    known = _results_of_jobs(marked, logs)
    wanted = {number for number, made in known.items() if made & {*results}}
    jobs = [*jobs]
    return [job for job in jobs if job.number in wanted], [job for job in jobs if job.number not in known]


def _results_of_jobs(marked: Iterable[Mark], logs: Path) -> dict[str, set[str]]:
    """By numbers of a cluster's jobs: those that have begun by what they noted, the others by the marks."""
    places, found = logs_of_results(logs), defaultdict[str, set[str]](set)
    owners = {log: last.owner for log in sorted({*places.values()}) if (last := tries.read(log))}
    for result, log in places.items():
        if log in owners and (job := owners[log].job):
            found[job].add(result)
    for mark in marked:
        if mark.job:
            found[mark.job].add(mark.result)
    return found


def _state(mark: Mark, log: Path | None, queue: Mapping[str, str] | None, now: float) -> str:
    last = tries.read(log) if log else None
    if log and last and tries.noted(log) >= mark.since:
        job, seen, lives = last.owner.job, last.owner.here, last.owner.here and last.owner.lives
    else:
        job, seen, lives = mark.job, mark.job is None, now - mark.since < STARTING
    if job and queue is not None:
        return {None: "stopped", "PENDING": "waiting"}.get(queue.get(job), "running")
    if not seen:
        return "unknown"
    return "running" if lives else "stopped"
