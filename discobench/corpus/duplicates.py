"""Which parts stay: those that pass the filters and repeat no other part that stays.

Of parts that are near each other the one of the highest rank stays, and one is dropped only for one that
stays: a chain of small changes does not drop its far end. Of exact copies, which are near to the same parts,
the first that passes the filters stands for all. What fails a filter takes part in nothing.
Memory: 15 bytes a part where one in twenty repeats another, 33 where one in four does.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discobench.corpus.filters import REASONS, Codes
from discobench.corpus.matches import Numbers

EXACT, NEAR = len(REASONS) + 1, len(REASONS) + 2
NAMES = (None, *REASONS, "exact duplicate", "near duplicate")
"""Why a part is dropped, by its code; 0 is not dropped."""
UNDECIDED, STAYS, GOES = range(3)

Parents = NDArray[np.uint32]
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
    parents: Parents
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

    def _present(self, numbers: Parents) -> Numbers:
        places = np.searchsorted(self.leads, numbers)
        absent = np.append(self.leads, -1)[places] == numbers
        return np.where(absent, np.append(self.instead, -1)[places], numbers)


def decide(failing: Codes, matches: Matches) -> Decisions:
    """Decide on all parts of a language; ``failing`` has the code of the filter that each fails, or 0."""
    parents = np.arange(len(failing), dtype=np.uint32)
    copies = np.zeros(len(failing), bool)
    for table in matches():
        exact = table.filter(table["exact"])
        parents[exact["second"].to_numpy()] = exact["first"].to_numpy()
        copies[exact["second"].to_numpy()] = True
    leads, instead = _stand_ins(failing, parents)
    alive = (failing == 0) & ~copies
    alive[leads] = True
    _adopt(parents, _independent(alive, matches), matches)
    return Decisions(failing, copies, parents, leads, instead)


def _stand_ins(failing: Codes, parents: Parents) -> tuple[Numbers, Numbers]:
    """First copies that fail a filter, and for each the next copy that does not."""
    copies = np.flatnonzero((failing == 0) & (failing[parents] > 0))
    leads, places = np.unique(parents[copies], return_index=True)
    return leads.astype(np.int64), copies[places]


def _independent(alive: NDArray[np.bool_], matches: Matches) -> Codes:
    """STAYS for a part once all that outrank it and are near it go, GOES once one of them stays."""
    states = np.where(alive, UNDECIDED, GOES).astype(np.uint8)
    while (states == UNDECIDED).any():
        waits, goes = np.zeros((2, len(states)), bool)
        for first, second in _near(matches, alive):
            goes[second[states[first] == STAYS]] = True
            waits[second[states[first] == UNDECIDED]] = True
        open_ = states == UNDECIDED
        states[open_ & goes] = GOES
        states[open_ & ~goes & ~waits] = STAYS
    return states


def _near(matches: Matches, alive: NDArray[np.bool_]) -> Iterator[tuple[Numbers, Numbers]]:
    for table in matches():
        first, second = table["first"].to_numpy(), table["second"].to_numpy()
        chosen = ~table["exact"].to_numpy() & alive[first] & alive[second]
        yield first[chosen], second[chosen]


def _adopt(parents: Parents, states: Codes, matches: Matches) -> None:
    """Give each part that goes for a near one the first such part that stays as parent."""
    alive = states == STAYS
    for table in matches():
        first, second = table["first"].to_numpy(), table["second"].to_numpy()
        chosen = ~table["exact"].to_numpy() & alive[first] & (states[second] == GOES)
        order = np.lexsort((first[chosen], second[chosen]))
        parts, places = np.unique(second[chosen][order], return_index=True)
        found, known = first[chosen][order][places], parents[parts]
        parents[parts] = np.where(known == parts, found, np.minimum(known, found))
