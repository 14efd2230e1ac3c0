"""Which parts stay: those that pass the filters and repeat no other part that stays.

Of parts that are near each other the one of the highest rank stays, and one is dropped only for one that
stays: a chain of small changes does not drop its far end. Of exact copies, which are near to the same parts,
the first that passes the filters stands for all. What fails a filter takes part in nothing.
Memory: seven bytes a part of the language; what else there is does not grow with the parts.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discobench.corpus.filters import REASONS, Codes

EXACT, NEAR = len(REASONS) + 1, len(REASONS) + 2
NAMES = (None, *REASONS, "exact duplicate", "near duplicate")
"""Why a part is dropped, by its code; 0 is not dropped."""
UNDECIDED, WAITS, STAYS, GOES = range(4)
NEXT = np.array([STAYS, UNDECIDED, STAYS, GOES], np.uint8)
"""What each state is after a round: that of a part in whose way none is, or may come, is to stay."""
BLOCK = 1 << 20

Numbers = NDArray[np.uint32]
Matches = Callable[[], Iterable[pa.Table]]
"""Tables of schema ``match``, the same each time."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """What is decided on each part: the filter it fails or 0, whether it is a copy, and its parent.

    A copy's parent is the first one of its text; a near one's the part that stays for it; any other's is itself.
    Where the first copy fails a filter (``leads``), another one is there ``instead``.
    """

    failing: Codes
    copies: NDArray[np.bool_]
    parents: Numbers
    leads: Numbers
    instead: Numbers

    def of(self, start: int, stop: int) -> tuple[Codes, Numbers]:
        """For parts [start, stop) the code of why each is dropped, or 0, and the number of the part that stays."""
        parents = self.parents[start:stop]
        numbers = np.arange(start, start + len(parents))
        kept = self._present(self.parents[parents])
        first = ~self.copies[start:stop] | (self._present(parents) == numbers)
        codes = np.where(kept == numbers, 0, np.where(first, NEAR, EXACT))
        failing = self.failing[start:stop]
        return np.where(failing > 0, failing, codes).astype(np.uint8), kept

    def _present(self, numbers: Numbers) -> Numbers:
        if not len(self.leads):
            return numbers
        places = np.minimum(np.searchsorted(self.leads, numbers), len(self.leads) - 1)
        return np.where(self.leads[places] == numbers, self.instead[places], numbers)


def decide(failing: Codes, matches: Matches) -> Decisions:
    """Decide on all parts of a language; ``failing`` has the code of the filter that each fails, or 0."""
    parents = np.arange(len(failing), dtype=np.uint32)
    copies = np.zeros(len(failing), bool)
    for table in matches():
        exact = table.filter(table["exact"])
        parents[exact["second"].to_numpy()] = exact["first"].to_numpy()
        copies[exact["second"].to_numpy()] = True
    leads, instead = _stand_ins(failing, parents)
    states = np.logical_or(failing, copies).view(np.uint8)
    states *= np.uint8(GOES)
    states[leads] = UNDECIDED
    _settle(states, matches)
    _adopt(parents, states, copies, matches)
    return Decisions(failing, copies, parents, leads, instead)


def _stand_ins(failing: Codes, parents: Numbers) -> tuple[Numbers, Numbers]:
    """First copies that fail a filter, and for each the next copy that does not."""
    found = [np.empty(0, np.uint32)]
    for block in _blocks(len(failing)):
        places = np.flatnonzero((failing[block] == 0) & (failing[parents[block]] > 0))
        found.append((block.start + places).astype(np.uint32))
    copies = np.concatenate(found)
    leads, first = np.unique(parents[copies], return_index=True)
    return leads, copies[first]


def _blocks(count: int) -> Iterator[slice]:
    """Some parts after the other, so that what is worked out of all takes no memory."""
    return (slice(start, start + BLOCK) for start in range(0, count, BLOCK))


def _settle(states: Codes, matches: Matches) -> None:
    """Let a part stay once all that outrank it and are near it go, and go once one of them stays."""
    waiting = True
    while waiting:
        for first, second in _near(matches):
            above = states[first]
            states[second[above == STAYS]] = GOES
            behind = second[above < STAYS]
            states[behind[states[behind] == UNDECIDED]] = WAITS
        waiting = False
        for block in _blocks(len(states)):
            waiting |= bool((states[block] == WAITS).any())
            states[block] = NEXT[states[block]]


def _near(matches: Matches) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    for table in matches():
        near = ~table["exact"].to_numpy()
        yield table["first"].to_numpy()[near], table["second"].to_numpy()[near]


def _adopt(parents: Numbers, states: Codes, copies: NDArray[np.bool_], matches: Matches) -> None:
    """Give each part that goes for a near one the first such part that stays as parent.

    Copies stay with their original, and fare as it does: where a key that very many parts share was cut, a copy
    can have come to be compared in its place.
    """
    for first, second in _near(matches):
        chosen = np.flatnonzero((states[first] == STAYS) & (states[second] == GOES) & ~copies[second])
        chosen = chosen[np.lexsort((first[chosen], second[chosen]))]
        parts, places = np.unique(second[chosen], return_index=True)
        found, known = first[chosen][places], parents[parts]
        parents[parts] = np.where(known == parts, found, np.minimum(known, found))
