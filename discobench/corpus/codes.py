"""Text as arrays of code points, so that a batch of documents is looked at in one stroke."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LIMIT = 0x32400
"""Past the last letter that Unicode has; all higher code points share the last entry of a table."""


@dataclass(frozen=True, slots=True)
class Codes:
    """Texts one after the other: ``points`` uint32 [n], and ``bounds`` int64 [texts + 1] into it."""

    points: NDArray[np.uint32]
    bounds: NDArray[np.int64]

    def text_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of the text that each place lies in."""
        return np.searchsorted(self.bounds, places, side="right") - 1

    def before(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of the rising ``places`` lie before each bound."""
        return np.searchsorted(places, self.bounds)


def codes(texts: Sequence[str], between: str = "") -> Codes:
    """Code points of ``texts``; each is followed by ``between``."""
    points = np.frombuffer("".join(text + between for text in texts).encode("utf-32-le"), np.uint32)
    lengths = np.fromiter((len(text) + len(between) for text in texts), np.int64, len(texts))
    return Codes(points, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def tabulated(function: Callable[[str], int], dtype: type) -> NDArray[Any]:
    """A table [LIMIT + 1] of a function of characters."""
    return np.fromiter((function(chr(code)) for code in range(LIMIT + 1)), dtype, LIMIT + 1)


def looked_up(table: NDArray[Any], points: NDArray[np.uint32]) -> NDArray[Any]:
    """The entries of a table for code points; numpy's own clipping takes twice the time."""
    return table.take(np.minimum(points, LIMIT))
