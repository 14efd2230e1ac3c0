"""SIGTERM, by which a cluster says that a job's time is over or that others need its node."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

TERMINATED = 143
"""128 + SIGTERM: how a shell reports a terminated process."""


@contextmanager
def on_termination(action: Callable[[], None]) -> Iterator[None]:
    """Do ``action`` as soon as SIGTERM comes, after what blocks around this one do.

    Whether and when the process ends is the innermost block's to say: it raises SystemExit, or it does not yet.
    """
    outer = signal.getsignal(signal.SIGTERM)

    def act(number: int, frame: Any) -> None:
        with suppress(SystemExit):
            if callable(outer):
                outer(number, frame)
        action()

    signal.signal(signal.SIGTERM, act)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, outer)


@contextmanager
def passed_on(terminate: Callable[[], None]) -> Iterator[list[int]]:
    """Have SIGTERM reach other processes, by ``terminate``; the list is no longer empty once it came."""
    asked: list[int] = []

    def forward() -> None:
        asked.append(TERMINATED)
        terminate()

    with on_termination(forward):
        yield asked
