"""Who is at work on something: a process of a machine, known by a cluster's job where it is part of one."""

import os
import re
import signal
import socket
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

BATCH = ("SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID")
"""Set in a cluster's jobs, one by each scheduler. Elsewhere nobody has promised a job its `threads` and `mem_mb`."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process; ``started`` (clock ticks since the machine began) tells it from later ones of the same number.

    ``job`` is the number of the cluster's job, None where it is part of none.
    """

    host: str
    process: int
    started: int
    job: str | None = None

    @property
    def here(self) -> bool:
        """Whether it is one of this machine's."""
        return self.host == socket.gethostname()

    @property
    def lives(self) -> bool:
        """Whether the process, one of this machine's, is still there."""
        return started(self.process) == self.started

    def __str__(self) -> str:
        job = f"job {self.job} of the cluster, " if self.job else ""
        return f"{job}process {self.process} on {self.host}"


def this_process() -> Owner:
    """The process that asks."""
    job = next((os.environ[name] for name in BATCH if name in os.environ), None)
    return Owner(socket.gethostname(), os.getpid(), started(os.getpid()) or 0, job)


def end(owners: Collection[Owner], seconds: float) -> None:
    """End processes of this machine and wait for it; those that are not gone after so many seconds are killed."""
    until = time.monotonic() + seconds
    for number in (signal.SIGTERM, signal.SIGCONT):
        _signal(owners, number)
    while any(owner.lives for owner in owners):
        if time.monotonic() > until:
            _signal(owners, signal.SIGKILL)
        time.sleep(0.1)


def _signal(owners: Collection[Owner], number: signal.Signals) -> None:
    for owner in owners:
        with suppress(ProcessLookupError):
            if owner.lives:
                os.kill(owner.process, number)


def started(process: int) -> int | None:
    """When a process of this machine began, in clock ticks; None where there is none or it only waits for its parent.

    Fields 3 and 22 of /proc/<process>/stat (proc(5)), after a name that may hold blanks and brackets.
    """
    try:
        fields = re.split(r".*\) ", Path(f"/proc/{process}/stat").read_text("utf-8", "backslashreplace"))[-1].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])
