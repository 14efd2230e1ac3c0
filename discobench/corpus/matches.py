"""Which parts repeat which: those that share a key of one bucket, compared.

All parts of a language are numbered, file after file. One outranks another that is shorter, or as long and
later. A bucket is a range of keys, so that each of any number of buckets holds an equal share of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from discobench.corpus.hashes import Hashes, rising
from discobench.corpus.signatures import Signatures, as_matrix, exact_keys
from discobench.parquet import iterate_tables
from discobench.schema import schema

LEADERS = 32
"""Of parts that share a key, each is compared with this many of the highest rank: a bound on what boilerplate costs."""
CHANCE = 1 / 256
"""Share of places in which unlike signatures agree."""
DOUBT = 0.5
"""Standard errors of the estimate above the threshold from which two parts count as near: pairs below the
threshold are many, and half of those just below it would pass without."""
BLOCK = 1 << 16
KEYS = 24 << 20
"""Keys that are sorted at once: a bucket with more is worked in narrower ones. About 1 GB."""
PARTS = 2 << 20
"""Entries that are compared at once, with what their parts have. About 1 GB."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Entries:
    """Keys that several parts have, sorted, and the number of each part that has one, rising within a key."""

    keys: Hashes
    numbers: Numbers

    def distinct(self) -> Numbers:
        """The parts, rising."""
        return rising(self.numbers)

    def pieces(self, most: int = PARTS) -> Iterator["Entries"]:
        """The entries in turn, at most so many at once; a key is in one piece, unless it alone has more.

        Such a key is cut by itself, its first part in each piece, so that copies still have one original.
        """
        start = 0
        while start + most < len(self.keys):
            edge = int(np.searchsorted(self.keys, self.keys[start + most]))
            if edge == start:
                edge = int(np.searchsorted(self.keys, self.keys[start], side="right"))
                yield from self._cut(start, edge, most)
            else:
                yield Entries(self.keys[start:edge], self.numbers[start:edge])
            start = edge
        yield Entries(self.keys[start:], self.numbers[start:])

    def _cut(self, first: int, end: int, most: int) -> Iterator["Entries"]:
        for start in range(first + 1, end, most - 1):
            stop = min(start + most - 1, end)
            yield Entries(self.keys[start - 1 : stop], np.append(self.numbers[first], self.numbers[start:stop]))


@dataclass(frozen=True, slots=True)
class Candidates:
    """What is compared of parts, by rising number."""

    numbers: Numbers
    sizes: Numbers
    digests: Signatures
    signatures: Signatures


def entries(files: Sequence[Path], firsts: Sequence[int], bucket: int, buckets: int) -> Entries:
    """The keys of a bucket in files of schema ``band``; ``firsts`` has the number of each file's first part."""
    low, last = bucket * 2**64 // buckets, (bucket + 1) * 2**64 // buckets - 1
    keys, numbers = _gathered(files, firsts, np.uint64(low), np.uint64(last))
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    same = keys[1:] == keys[:-1]
    chosen = np.append(False, same) | np.append(same, False) if len(keys) else np.zeros(0, bool)
    return Entries(keys[chosen], numbers[order[chosen]].astype(np.int64))


def narrower(files: Sequence[Path], bucket: int, buckets: int) -> tuple[range, int]:
    """A bucket as some of more: which, and of how many, so that each has at most about KEYS of the files' keys."""
    count = sum(pq.read_metadata(path).num_rows for path in files)
    parts = max(1, -(-count // (buckets * KEYS)))
    return range(bucket * parts, (bucket + 1) * parts), buckets * parts


def _gathered(
    files: Sequence[Path], firsts: Sequence[int], low: np.uint64, last: np.uint64
) -> tuple[Hashes, NDArray[np.uint32]]:
    """Keys from ``low`` to ``last`` and the part of each; copies, as a slice would keep its row group alive."""
    keys, numbers = [np.empty(0, np.uint64)], [np.empty(0, np.uint32)]
    for path, first in zip(files, firsts, strict=True):
        for table in _groups_between(path, low, last):
            found = table["key"].to_numpy()
            inside = slice(np.searchsorted(found, low), np.searchsorted(found, last, side="right"))
            keys.append(found[inside].copy())
            numbers.append((table["part"].to_numpy()[inside] + first).astype(np.uint32))
    return np.concatenate(keys), np.concatenate(numbers)


def _groups_between(path: Path, low: np.uint64, last: np.uint64) -> Iterator[pa.Table]:
    with pq.ParquetFile(path) as file:
        for number in range(file.num_row_groups):
            seen = file.metadata.row_group(number).column(0).statistics
            if seen.max >= low and seen.min <= last:
                yield file.read_row_group(number)


def candidates(files: Sequence[Path], numbers: Numbers, permutations: int) -> Candidates:
    """What files of schema ``signature`` say of parts with some numbers, rising."""
    columns = ["size", "sha256", "signature"]
    found = Candidates(
        numbers,
        np.empty(len(numbers), np.int64),
        np.empty((len(numbers), 32), np.uint8),
        np.empty((len(numbers), permutations), np.uint8),
    )
    first = 0
    for path in files:
        for table in iterate_tables(path, "signature", columns):
            wanted = slice(*np.searchsorted(numbers, [first, first + len(table)]))
            rows = table.take(numbers[wanted] - first)
            found.sizes[wanted] = rows["size"].to_numpy()
            found.digests[wanted] = as_matrix(rows["sha256"], 32)
            found.signatures[wanted] = as_matrix(rows["signature"], permutations)
            first += len(table)
    return found


def matches(shared: Entries, known: Candidates, threshold: float) -> pa.Table:
    """Rows of schema ``match``: the part ``second`` repeats ``first``, which outranks it.

    Exact copies are matched with the first of them only, and only that one with parts that are near.
    """
    places = np.searchsorted(known.numbers, shared.numbers)
    own = exact_keys(known.digests)
    exact = shared.keys == own[places]
    first, second = _copies(shared.keys[exact], places[exact])
    same = (known.digests[first] == known.digests[second]).all(axis=1)
    copies = _rows(known, first[same], second[same], True, np.ones(int(same.sum())))
    near = _near(shared.keys[~exact], places[~exact], own, known)
    return pa.concat_tables([copies, _similar(known, *near, threshold)]).sort_by(
        [("first", "ascending"), ("second", "ascending")]
    )


def _copies(keys: Hashes, places: Numbers) -> tuple[Numbers, Numbers]:
    leaders = places[_starts(keys)]
    rest = _ranks(keys) > 0
    return leaders[rest], places[rest]


def _near(keys: Hashes, places: Numbers, own: Hashes, known: Candidates) -> tuple[Numbers, Numbers]:
    """Pairs to be compared, as places, without repetition: the higher rank first."""
    keys, places = _distinct(keys, places, own)
    order = np.lexsort((places, -known.sizes[places], keys))
    keys, places = keys[order], places[order]
    starts, ranks = _starts(keys), _ranks(keys)
    found = [np.empty(0, np.int64)]
    for leader in range(min(LEADERS, int(ranks.max(initial=0)))):
        behind = np.flatnonzero(ranks > leader)
        found.append(rising(places[starts[behind] + leader] * len(own) + places[behind]))
    pairs = rising(np.concatenate(found))
    return pairs // max(len(own), 1), pairs % max(len(own), 1)


def _distinct(keys: Hashes, places: Numbers, own: Hashes) -> tuple[Hashes, Numbers]:
    """Of exact copies that share a key the first."""
    order = np.lexsort((places, own[places], keys))
    keys, places = keys[order], places[order]
    again = (keys[1:] == keys[:-1]) & (own[places[1:]] == own[places[:-1]])
    chosen = ~np.append(np.zeros(min(len(keys), 1), bool), again)
    return keys[chosen], places[chosen]


def _starts(keys: Hashes) -> Numbers:
    """Where the run of equal keys that each one is in begins."""
    return np.searchsorted(keys, keys)


def _ranks(keys: Hashes) -> Numbers:
    return np.arange(len(keys)) - _starts(keys)


def _similar(known: Candidates, first: Numbers, second: Numbers, threshold: float) -> pa.Table:
    blocks = [slice(start, start + BLOCK) for start in range(0, len(first), BLOCK)]
    agree = [
        (known.signatures[first[block]] == known.signatures[second[block]]).mean(axis=1, dtype=np.float64)
        for block in blocks
    ]
    similarity = (np.concatenate([np.empty(0), *agree]) - CHANCE) / (1 - CHANCE)
    near = similarity >= threshold + DOUBT * np.sqrt(threshold * (1 - threshold) / known.signatures.shape[1])
    return _rows(known, first[near], second[near], False, similarity[near])


def _rows(known: Candidates, first: Numbers, second: Numbers, exact: bool, similarity: NDArray[np.float64]) -> pa.Table:
    numbers = {"first": known.numbers[first], "second": known.numbers[second]}
    more = {"exact": np.full(len(first), exact), "similarity": similarity}
    return pa.table(numbers | more, schema=schema("match"))
