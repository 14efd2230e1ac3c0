"""What is decided on numbered parts, told by ids: written for a language, read again for a shard."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from discobench.corpus.duplicates import EXACT, NAMES, Decisions
from discobench.corpus.filters import Codes
from discobench.corpus.hashes import rising
from discobench.corpus.matches import Numbers
from discobench.parquet import in_pieces, iterate_tables
from discobench.schema import schema

GROUP = 100_000
"""Rows of a table, whatever the files they come from."""
RUN = 10
"""Tables at once for whose rows the files are read for ids: about 0.2 GB."""


class Verdicts:
    """Rows of schema ``duplicate`` by files of schema ``signature``, which have names and follow each other.

    Once ``tables`` are read, ``rows`` has the range of rows of each file, ``kept`` and ``dropped`` the sums.
    """

    def __init__(self, decisions: Decisions, files: Mapping[str, Path]) -> None:
        self.decisions, self.files = decisions, files
        self.rows = dict.fromkeys(files, (0, 0))
        self.kept = 0
        self.dropped: Counter[str] = Counter()

    def tables(self) -> Iterator[pa.Table]:
        """The parts that are dropped, in their order; ``kept`` is null where a filter is the reason."""
        groups = in_pieces(self._dropped(), GROUP)
        while run := list(islice(groups, RUN)):
            numbers = rising(np.concatenate([_repeating(group)[1] for group in run]))
            ids = pa.chunked_array([*self._ids(numbers)], pa.large_string()).combine_chunks()
            yield from (_named(group, numbers, ids) for group in run)

    def _dropped(self) -> Iterator[pa.Table]:
        """The parts that are dropped, with the code of the reason and the number of the part that stays."""
        for name, first, table in self._pieces(["id", "start", "end"]):
            codes, kept = self.decisions.of(first, first + len(table))
            gone = np.flatnonzero(codes)
            self._count(name, len(codes), codes[gone])
            yield table.take(gone).append_column("code", [codes[gone]]).append_column("kept", [kept[gone]])

    def _pieces(self, columns: list[str]) -> Iterator[tuple[str, int, pa.Table]]:
        """Pieces of the files with the file's name and the number of the first part."""
        first = 0
        for name, path in self.files.items():
            for table in iterate_tables(path, "signature", columns):
                yield name, first, table
                first += len(table)

    def _ids(self, numbers: Numbers) -> Iterator[pa.Array]:
        for _, first, table in self._pieces(["id"]):
            inside = slice(*np.searchsorted(numbers, [first, first + len(table)]))
            yield from table["id"].take(numbers[inside] - first).chunks

    def _count(self, name: str, parts: int, codes: Codes) -> None:
        gone = len(codes)
        start, stop = self.rows[name]
        self.rows[name] = (start if stop else self.dropped.total(), self.dropped.total() + gone)
        self.kept += parts - gone
        self.dropped += Counter(_reasons(codes))


def _reasons(codes: Codes) -> list[str]:
    return [str(NAMES[code]) for code in codes.tolist()]


def _repeating(group: pa.Table) -> tuple[NDArray[np.bool_], Numbers]:
    """Which rows have a part that stays for them, and its number."""
    repeating = group["code"].to_numpy() >= EXACT
    return repeating, group["kept"].to_numpy()[repeating].astype(np.int64)


def _named(group: pa.Table, numbers: Numbers, ids: pa.Array) -> pa.Table:
    """Rows of schema ``duplicate``; ``ids`` are those of some numbers, rising."""
    repeating, kept = _repeating(group)
    places = np.zeros(len(group), np.int64)
    places[repeating] = np.searchsorted(numbers, kept)
    told = {"kept": ids.take(pa.array(places, mask=~repeating)), "reason": _reasons(group["code"].to_numpy())}
    return pa.table({name: group[name] for name in ("id", "start", "end")} | told, schema=schema("duplicate"))


def rows_between(path: Path, start: int, stop: int) -> Iterator[dict[str, Any]]:
    """Rows [start, stop) of a file of schema ``duplicate``; other row groups are not read."""
    with pq.ParquetFile(path) as file:
        first = 0
        for number in range(file.num_row_groups):
            count = file.metadata.row_group(number).num_rows
            if first < stop and first + count > start:
                offset = max(start - first, 0)
                rows = file.read_row_group(number).slice(offset, stop - first - offset)
                yield from (row for batch in rows.to_batches(1_000) for row in batch.to_pylist())
            first += count
