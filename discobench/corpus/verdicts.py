"""What is decided on numbered parts, told by ids: written for a language, read again for a shard."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from discobench.corpus.duplicates import EXACT, NAMES, Decisions
from discobench.corpus.filters import Codes
from discobench.corpus.hashes import rising
from discobench.corpus.matches import Numbers
from discobench.parquet import iterate_tables
from discobench.schema import schema

BLOCK = 1 << 20


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
        numbers = self._numbers()
        ids = pa.chunked_array([*self._ids(numbers)], pa.large_string()).combine_chunks()
        for name, first, table in self._pieces(["id", "start", "end"]):
            codes, kept = self.decisions.of(first, first + len(table))
            gone = np.flatnonzero(codes)
            places = pa.array(np.searchsorted(numbers, kept[gone]), mask=codes[gone] < EXACT)
            columns = {"kept": ids.take(places), "reason": self._reasons(codes)}
            rows = table.take(gone)
            self._count(name, codes)
            yield pa.table({key: rows[key] for key in rows.column_names} | columns, schema=schema("duplicate"))

    def _pieces(self, columns: list[str]) -> Iterator[tuple[str, int, pa.Table]]:
        """Pieces of the files with the file's name and the number of the first part."""
        first = 0
        for name, path in self.files.items():
            for table in iterate_tables(path, "signature", columns):
                yield name, first, table
                first += len(table)

    def _numbers(self) -> Numbers:
        """Parts that stay instead of others."""
        found = [np.empty(0, np.int64)]
        for start in range(0, len(self.decisions.parents), BLOCK):
            codes, kept = self.decisions.of(start, start + BLOCK)
            found.append(rising(kept[codes >= EXACT]))
        return rising(np.concatenate(found))

    def _ids(self, numbers: Numbers) -> Iterator[pa.Array]:
        for _, first, table in self._pieces(["id"]):
            inside = slice(*np.searchsorted(numbers, [first, first + len(table)]))
            yield from table["id"].take(numbers[inside] - first).chunks

    def _reasons(self, codes: Codes) -> list[str]:
        return [str(NAMES[code]) for code in codes[codes > 0]]

    def _count(self, name: str, codes: Codes) -> None:
        reasons = Counter(self._reasons(codes))
        gone = reasons.total()
        start, stop = self.rows[name]
        self.rows[name] = (start if stop else self.dropped.total(), self.dropped.total() + gone)
        self.kept += len(codes) - gone
        self.dropped += reasons


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
