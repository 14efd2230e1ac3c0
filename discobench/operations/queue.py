"""Jobs that Slurm has of a folder, and those among them for which nobody waits any more.

The profile for Slurm names a run's jobs after the process that submits them. Where that has died without a word, its
jobs go on, and would meet those that the same command submits anew.
"""

import hashlib
import re
import shutil
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from discobench.errors import DiscoError
from discobench.owners import Owner, this_process

PATIENCE = 60.0
"""Seconds for Slurm to answer."""
TRIES, PAUSE = 3, 5.0
"""How often Slurm is asked before it counts as silent, and seconds between."""
GOING, STEP = 600.0, 0.5
"""Seconds that cancelled jobs may take to save what they have and end, and seconds after which one looks again."""
FORMAT = "%i|%T|%j|%k|%Z"
NAME = re.compile(r"disco_([A-Za-z0-9-]+)_(\d+)_(\d+)_[0-9a-f-]+")


@dataclass(frozen=True, slots=True)
class Queued:
    """A job that waits, runs or ends: number, state, name, what it makes, and the folder in which it was submitted."""

    number: str
    state: str
    name: str
    comment: str
    folder: Path

    @property
    def command(self) -> Owner | None:
        """The process that submitted it; None where its name does not say."""
        found = NAME.fullmatch(self.name)
        return Owner(found[1], int(found[2]), int(found[3])) if found else None


def queued(folder: Path) -> list[Queued] | None:
    """This user's jobs of a folder; None where there is no Slurm, or none that answers."""
    ran = asked_of_slurm("squeue", "--me", "-h", "-o", FORMAT)
    jobs = [_read(line) for line in ran.split("\n") if line.count("|") >= 4] if ran is not None else None
    return jobs if jobs is None else [job for job in jobs if job.folder.resolve() == folder.resolve()]


def known(folder: Path) -> list[Queued]:
    """This user's jobs of a folder, none where there is no Slurm; raises DiscoError where it does not answer."""
    for _ in range(TRIES):
        if (jobs := queued(folder)) is not None or not shutil.which("squeue"):
            return jobs or []
        time.sleep(PAUSE)
    raise DiscoError(
        "Slurm does not answer (`squeue --me`), so nobody sees whether jobs of this folder are left from a command "
        "before; give the same command again once it does."
    )


def left_behind(jobs: Iterable[Queued]) -> list[Queued]:
    """Jobs whose command is gone.

    Raises DiscoError where it was given on another machine: from here nobody sees whether it is gone.
    """
    named = [(job, command) for job in jobs if (command := job.command)]
    here = code(this_process().host)
    if elsewhere := [job.number for job, command in named if command.host != here]:
        numbers = " ".join(elsewhere)
        raise DiscoError(
            f"jobs {numbers} of this folder belong to a command on another machine; wait for that command's end, or "
            f"where it is gone give `scancel {numbers}` and then the same command again."
        )
    return [job for job, command in named if not command.lives]


def end(jobs: list[Queued], folder: Path) -> None:
    """Cancel jobs of a folder and wait until Slurm says that they are gone; raises DiscoError where they stay."""
    if not jobs:
        return
    numbers = [job.number for job in jobs]
    _cancel(numbers, folder)
    until = time.monotonic() + GOING
    while (there := _there(numbers, folder)) is None or there:
        if time.monotonic() > until:
            named = " ".join(numbers)
            raise DiscoError(f"jobs {named} do not end; see `squeue -j {','.join(numbers)}`, then the same command.")
        time.sleep(STEP)


def _cancel(numbers: list[str], folder: Path) -> None:
    for _ in range(TRIES):
        if (there := _there(numbers, folder)) is not None:
            # Of those that end already, Slurm takes no word.
            numbers = [number for number, state in there.items() if state != "COMPLETING"]
        if not numbers or asked_of_slurm("scancel", *numbers) is not None:
            return
        time.sleep(PAUSE)
    named = " ".join(numbers)
    raise DiscoError(f"`scancel {named}` fails; see what it says, and give the same command again once they are gone.")


def _there(numbers: list[str], folder: Path) -> dict[str, str] | None:
    """The states of those jobs that Slurm still has; None where it does not answer."""
    jobs = queued(folder)
    return None if jobs is None else {job.number: job.state for job in jobs if job.number in numbers}


def code(host: str) -> str:
    """A machine as the names of jobs have it, which have no place for a long name: see profiles/slurm/config.yaml."""
    return hashlib.sha256(host.encode()).hexdigest()[:10]


def _read(line: str) -> Queued:
    number, state, name, rest = line.split("|", 3)
    comment, folder = rest.rsplit("|", 1)
    return Queued(number, state, name, comment, Path(folder))


def asked_of_slurm(*command: str) -> str | None:
    """What a client of Slurm prints; None where there is none, or where it fails or takes too long."""
    if not shutil.which(command[0]):
        return None
    try:
        ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    return ran.stdout if ran.returncode == 0 else None
