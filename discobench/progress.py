"""How far a long step is: a line in its log now and then, with the time that is left.

The reader of Parquet files tells of the file that it reads (``parquet.iterate_tables``), which is how most
steps are driven; others tell what they go through. A step of less than half a minute says nothing.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
SECONDS_BETWEEN_LINES = 30.0
LINES = 10
"""Lines whose time the speed is taken from: what a killed job had done is passed in no time by the next."""


class Progress:
    """Counts towards ``total`` (0: not known); ``what`` and ``unit`` are words of the line."""

    def __init__(self, what: str, unit: str, total: float) -> None:
        self.what, self.unit, self.total, self.done = what, unit, total, 0.0
        self.told = time.monotonic()
        self.points = deque([(self.told, 0.0)], maxlen=LINES)

    def add(self, amount: float = 1) -> None:
        """So much more is done."""
        self.reach(self.done + amount)

    def reach(self, done: float) -> None:
        """So much is done in all; writes a line when it is time for one."""
        self.done, now = done, time.monotonic()
        if now - self.told >= SECONDS_BETWEEN_LINES:
            logging.info("%s: %s", self.what, self._line(now))
            self.told = now
            self.points.append((now, done))

    def _line(self, now: float) -> str:
        if not self.total:
            return f"{self.done:,.0f} {self.unit}"
        share = f"{self.done:,.0f} of {self.total:,.0f} {self.unit} ({self.done / self.total:.0%})"
        since, before = self.points[0]
        left = (self.total - self.done) * (now - since) / (self.done - before) if self.done > before else None
        return share if left is None else f"{share}, {clock(max(0.0, left))} left"


def told(
    items: Iterable[Item], what: str, unit: str, total: float, size: Callable[[Item], float] = lambda item: 1
) -> Iterator[Item]:
    """Pass on items; each counts as done, by its ``size``, when the next one is asked for."""
    progress = Progress(what, unit, total)
    for item in items:
        yield item
        progress.add(size(item))


def clock(seconds: float) -> str:
    """``1 h 02 min``, ``2 min 03 s`` or ``3 s``."""
    hours, minutes, rest = int(seconds) // 3600, int(seconds) // 60 % 60, int(seconds) % 60
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
