"""What a dropped part is dropped for is there: it stays, is near or the same, and one part of each group stays."""

import hashlib
from collections.abc import Iterator, Sequence
from unittest.mock import patch

import numpy as np
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from discobench.corpus import matches as matching
from discobench.corpus.duplicates import EXACT, NEAR, decide
from discobench.corpus.matches import Candidates, Entries, matches
from discobench.corpus.signatures import as_matrix, exact_keys

FAILS = 1
PLACES = 128
SIZES = (5, 5, 6, 7)
"""Of four texts; two are as long as each other."""


def parts_of(groups: Sequence[int], changed: Sequence[int]) -> Candidates:
    """Parts that are copies where they have one group; ``changed`` are the places in which a text is its own."""
    rows = []
    for group in groups:
        signature = np.zeros(PLACES, np.uint8)
        signature[group * 30 : group * 30 + changed[group]] = group + 1
        rows.append(signature)
    digests = [hashlib.sha256(bytes([group])).digest() for group in groups]
    sizes = np.array([SIZES[group] for group in groups], np.int64)
    return Candidates(np.arange(len(groups)), sizes, as_matrix(pa.chunked_array([digests]), 32), np.array(rows))


def found(known: Candidates, most: int) -> Iterator[pa.Table]:
    """Matches of parts that all share one key, and where they are copies another, at most so many compared at once."""
    own = exact_keys(known.digests)
    keys = np.concatenate([np.zeros(len(own), np.uint64), own])
    numbers = np.tile(known.numbers, 2)
    order = np.argsort(keys, kind="stable")
    shared = Entries(keys[order], numbers[order])
    for piece in shared.pieces(most):
        inside = piece.distinct()
        columns = (known.sizes[inside], known.digests[inside], known.signatures[inside])
        yield matches(piece, Candidates(inside, *columns), 0.7)


def components(tables: Sequence[pa.Table], count: int) -> list[int]:
    """For each part the least one that it is joined to, over any number of matches."""
    least = list(range(count))
    pairs = [(row["first"], row["second"]) for table in tables for row in table.to_pylist()]
    for _ in range(count):
        for one, other in pairs:
            least[one] = least[other] = min(least[one], least[other])
    return least


GROUPS = st.lists(st.integers(0, len(SIZES) - 1), min_size=1, max_size=14)
CHANGED = st.lists(st.sampled_from([0, 8, 29]), min_size=len(SIZES), max_size=len(SIZES))
CUT = [1, 2, 3, 0, 0, 0]
"""Of the third text the second copy is compared with the first of all, which the first copy was not: two are longer."""


@given(GROUPS, CHANGED, st.sets(st.integers(0, 13)), st.integers(2, 9), st.integers(1, 3))
@example(CUT, [8, 8, 29, 29], set(), 4, 2)
@example(CUT, [8, 8, 29, 29], {3}, 4, 2)
def test_what_a_part_is_dropped_for_stays(
    groups: list[int], changed: list[int], failing: set[int], most: int, leaders: int
) -> None:
    with patch.object(matching, "LEADERS", leaders):
        tables = list(found(parts_of(groups, changed), most))
    fails = np.array([number in failing for number in range(len(groups))], np.uint8) * FAILS
    codes, kept = decide(fails, lambda: tables).of(0, len(groups))
    least = components(tables, len(groups))
    near = {(a, b) for table in tables for a, b, exact, _ in zip(*table.to_pydict().values(), strict=True) if not exact}
    texts = {(groups[a], groups[b]) for a, b in near}
    for part, group in enumerate(groups):
        passing = [n for n, other in enumerate(groups) if other == group and not fails[n]]
        if fails[part]:
            assert codes[part] == FAILS
            continue
        assert codes[kept[part]] == 0
        assert least[kept[part]] == least[part]
        assert codes[part] in ({0, NEAR} if part == passing[0] else {EXACT})
        assert kept[part] == kept[passing[0]]
        assert (groups[kept[part]], group) in texts or kept[part] == passing[0]
