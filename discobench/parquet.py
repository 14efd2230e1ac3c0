"""Parquet files under a declared schema (zstd, large_string, row groups of at most 128 MB)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from discobench.errors import DiscoError
from discobench.files import whole
from discobench.progress import Progress
from discobench.schema import Schema, schema

ROWS = 10_000
GROUP_BYTES = 128 << 20
TABLE_BYTES = 1 << 20
LOOSE_BYTES = 4 << 20
"""About how many bytes of rows wait as Python's objects: more would leave the caches."""
BUFFER = 1 << 20
"""Bytes of a column chunk that are read at once."""
REMEDY = "delete it and the *.balance.json beside it that lists it, and rerun"


class Growing:
    """A Parquet file that grows row by row: no more than one row group is held, all but its last rows as tables."""

    def __init__(self, path: Path, name: Schema, out: pq.ParquetWriter) -> None:
        self.path, self.name, self.out = path, name, out
        self.lists = [field.name for field in schema(name) if pa.types.is_list(field.type)]
        self.waiting: list[Mapping[str, Any]] = []
        self.tables: list[pa.Table] = []
        self.rows = self.size = self.loose = self.count = 0

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row; a row group is bounded in number and, by its texts and arrays, in bytes."""
        self.waiting.append(row)
        size = sum(len(value) * 4 for value in row.values() if isinstance(value, str))
        size += sum(getattr(row.get(key), "nbytes", 0) for key in self.lists)
        self.rows, self.size, self.loose = self.rows + 1, self.size + size, self.loose + size
        if self.rows >= ROWS or self.size >= GROUP_BYTES:
            self.flush()
        elif self.loose >= LOOSE_BYTES:
            self._pack()

    def flush(self) -> None:
        """Write what waits; raises DiscoError when a row does not fit the schema."""
        self._pack()
        if self.tables:
            self.out.write_table(pa.concat_tables(self.tables), row_group_size=self.rows)
        self.count += self.rows
        self.tables, self.rows, self.size = [], 0, 0

    def _pack(self) -> None:
        if self.waiting:
            self.tables.append(_table(self.path, self.waiting, self.name))
        self.waiting, self.loose = [], 0


class GrowingTables:
    """A Parquet file that grows table by table, in row groups as above."""

    def __init__(self, out: pq.ParquetWriter) -> None:
        self.out = out
        self.waiting: list[pa.Table] = []
        self.rows = self.size = self.count = 0

    def append(self, table: pa.Table) -> None:
        """Add a table; they are put together until they have enough rows or bytes."""
        if not len(table):
            return
        self.waiting.append(table)
        self.rows, self.size = self.rows + len(table), self.size + table.nbytes
        if self.rows >= ROWS or self.size >= GROUP_BYTES / 2:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self.waiting:
            self.out.write_table(pa.concat_tables(self.waiting), row_group_size=self.rows)
        self.count += self.rows
        self.waiting, self.rows, self.size = [], 0, 0


@contextmanager
def growing(path: Path, name: Schema) -> Iterator[Growing]:
    """A file of schema ``name`` for rows that come one by one; it is there whole when the block succeeds."""
    with whole(path) as temporary, pq.ParquetWriter(temporary, schema(name), compression="zstd") as out:
        rows = Growing(path, name, out)
        yield rows
        rows.flush()


@contextmanager
def growing_tables(path: Path, name: Schema) -> Iterator[GrowingTables]:
    """The same for tables."""
    with whole(path) as temporary, pq.ParquetWriter(temporary, schema(name), compression="zstd") as out:
        tables = GrowingTables(out)
        yield tables
        tables.flush()


def write_parquet(path: Path, rows: Iterable[Mapping[str, Any]], name: Schema) -> int:
    """Stream ``rows`` into ``path`` under schema ``name``; returns how many there were.

    Raises DiscoError when a row does not fit the schema; nothing is left under ``path`` then.
    """
    with growing(path, name) as out:
        for row in rows:
            out.append(row)
    return out.count


def _table(path: Path, rows: list[Mapping[str, Any]], name: Schema) -> pa.Table:
    expected = set(schema(name).names)
    for row in rows:
        if set(row) != expected:
            odd = ", ".join(sorted(set(row) ^ expected))
            raise DiscoError(f"{path}: record {row.get('id')!r} has missing or unknown fields: {odd}.")
    try:
        columns = [column([row[field.name] for row in rows], field.type) for field in schema(name)]
        return pa.Table.from_arrays(columns, schema=schema(name))
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError) as error:
        raise DiscoError(f"{path}: a record does not fit schema {_called(name)}: {error}.") from error


def column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Values as an array of a type; strings are put together at once, which Arrow does one by one and slower."""
    if kind != pa.large_string() or not all(type(value) is str for value in values):
        return pa.array(values, kind)
    encoded = [value.encode("utf-8") for value in values]
    bounds = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(value) for value in encoded], out=bounds[1:])
    return pa.LargeStringArray.from_buffers(len(encoded), pa.py_buffer(bounds), pa.py_buffer(b"".join(encoded)))


def iterate_parquet(path: Path, name: Schema, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the records of ``path`` one by one, all columns unless given, checking that it has schema ``name``."""
    return (row for table in iterate_tables(path, name, columns) for row in table.to_pylist())


def write_tables(path: Path, tables: Iterable[pa.Table], name: Schema) -> int:
    """Stream tables of schema ``name`` into ``path``, in row groups as ``write_parquet``; returns their rows."""
    with growing_tables(path, name) as out:
        for table in tables:
            out.append(table)
    return out.count


def in_pieces(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The rows of tables of one schema in tables of exactly ``rows`` rows, but for the last.

    Each column is in one chunk: where pages end in a file depends on chunks, and so on the tables that there were.
    """
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= rows:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, rows).combine_chunks()
            waiting = [joined.slice(rows)]
    if any(map(len, waiting)):
        yield pa.concat_tables(waiting).combine_chunks()


def iterate_tables(
    path: Path, name: Schema, columns: Sequence[str] | None = None, size: int = TABLE_BYTES
) -> Iterator[pa.Table]:
    """Yield ``path`` in tables of about ``size`` bytes, checking that it has schema ``name``.

    ``columns`` are all unless given; one of them may be a leaf (``sentence_offsets.list.element.start``).
    """
    file = _opened(path, name)
    progress = Progress(str(path), "rows", file.metadata.num_rows)
    try:
        for group in range(file.num_row_groups):
            for batch in file.iter_batches(rows_within(file, group, size, columns), [group], columns):
                for table in _sliced(pa.Table.from_batches([batch]), size):
                    yield table
                    progress.add(len(table))
    except (OSError, pa.ArrowInvalid) as error:
        raise DiscoError(f"{path} is damaged ({error}); {REMEDY}.") from error


def _sliced(table: pa.Table, size: int) -> Iterator[pa.Table]:
    rows = max(1, len(table) * size // max(table.nbytes, 1))
    return (table.slice(start, rows) for start in range(0, len(table), rows))


def buffered(source: Path | IO[bytes]) -> pq.ParquetFile:
    """A file of which a piece of each column is in memory, not what was read before or will be read next.

    Arrow's own way is to read ahead, and to keep all that it has read until the file is closed.
    """
    return pq.ParquetFile(source, pre_buffer=False, buffer_size=BUFFER)


def rows_within(file: pq.ParquetFile, group: int, size: int, columns: Sequence[str] | None = None) -> int:
    """How many rows of a row group, ROWS at most, have about ``size`` bytes in some columns, all unless given."""
    found = file.metadata.row_group(group)
    parts = (found.column(number) for number in range(found.num_columns))
    total = sum(part.total_uncompressed_size for part in parts if columns is None or _within(part, columns))
    rows: int = found.num_rows * size // max(total, 1)
    return max(1, min(ROWS, rows))


def _within(part: pq.ColumnChunkMetaData, columns: Sequence[str]) -> bool:
    return any(f"{part.path_in_schema}.".startswith(f"{name}.") for name in columns)


def read_parquet(path: Path, name: Schema) -> list[dict[str, Any]]:
    """All records of ``path`` as a list."""
    return list(iterate_parquet(path, name))


def count_rows(path: Path) -> int:
    """How many records ``path`` has."""
    return int(pq.read_metadata(path).num_rows)


def _opened(path: Path, name: Schema) -> pq.ParquetFile:
    try:
        file = buffered(path)
    except FileNotFoundError as error:
        raise DiscoError(f"{path} does not exist; rerun the rule that makes it.") from error
    except pa.ArrowInvalid as error:
        raise DiscoError(f"{path} is not a whole Parquet file ({error}); {REMEDY}.") from error
    if not file.schema_arrow.equals(schema(name)):
        raise DiscoError(f"{path} does not have schema {_called(name)}; {REMEDY}.")
    return file


def _called(name: Schema) -> str:
    return repr(name) if isinstance(name, str) else f"of {', '.join(name.names)}"
