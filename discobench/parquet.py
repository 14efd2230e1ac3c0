"""Parquet files under a declared schema (zstd, large_string, row groups of at most 128 MB)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from discobench.errors import DiscoError
from discobench.files import whole
from discobench.schema import Schema, schema

ROWS = 10_000
GROUP_BYTES = 128 << 20
TABLE_BYTES = 1 << 20
REMEDY = "delete it and the *.balance.json beside it that lists it, and rerun"


def write_parquet(path: Path, rows: Iterable[Mapping[str, Any]], name: Schema) -> int:
    """Stream ``rows`` into ``path`` under schema ``name``; returns how many there were.

    Raises DiscoError when a row does not fit the schema; nothing is left under ``path`` then.
    """
    count = 0
    with whole(path) as temporary, pq.ParquetWriter(temporary, schema(name), compression="zstd") as out:
        for batch in _batches(rows):
            out.write_table(_table(path, batch, name), row_group_size=len(batch))
            count += len(batch)
    return count


def _batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    iterator = iter(rows)
    while batch := _group(iterator):
        yield batch


def _group(iterator: Iterator[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows for one row group: bounded in number and, by their text, in bytes."""
    batch: list[Mapping[str, Any]] = []
    size = 0
    for row in islice(iterator, ROWS):
        batch.append(row)
        size += sum(len(value) * 4 for value in row.values() if isinstance(value, str))
        if size >= GROUP_BYTES:
            break
    return batch


def _table(path: Path, rows: list[Mapping[str, Any]], name: Schema) -> pa.Table:
    expected = set(schema(name).names)
    for row in rows:
        if set(row) != expected:
            odd = ", ".join(sorted(set(row) ^ expected))
            raise DiscoError(f"{path}: record {row.get('id')!r} has missing or unknown fields: {odd}.")
    try:
        return pa.Table.from_pylist(rows, schema=schema(name))
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError) as error:
        raise DiscoError(f"{path}: a record does not fit schema {_called(name)}: {error}.") from error


def iterate_parquet(path: Path, name: Schema, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the records of ``path`` one by one, all columns unless given, checking that it has schema ``name``."""
    file = _opened(path, name)
    try:
        for batch in file.iter_batches(batch_size=1_000, columns=columns):
            yield from batch.to_pylist()
    except (OSError, pa.ArrowInvalid) as error:
        raise DiscoError(f"{path} is damaged ({error}); {REMEDY}.") from error


def write_tables(path: Path, tables: Iterable[pa.Table], name: Schema) -> int:
    """Stream tables of schema ``name`` into ``path``, in row groups as ``write_parquet``; returns their rows."""
    count = 0
    with whole(path) as temporary, pq.ParquetWriter(temporary, schema(name), compression="zstd") as out:
        for group in _groups(tables):
            out.write_table(group, row_group_size=len(group))
            count += len(group)
    return count


def _groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Tables put together until they have enough rows or bytes for a row group."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting += [table] if len(table) else []
        if sum(map(len, waiting)) >= ROWS or sum(part.nbytes for part in waiting) >= GROUP_BYTES / 2:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


def in_pieces(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The rows of tables of one schema in tables of exactly ``rows`` rows, but for the last."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= rows:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, rows)
            waiting = [joined.slice(rows)]
    if any(map(len, waiting)):
        yield pa.concat_tables(waiting)


def iterate_tables(
    path: Path, name: Schema, columns: Sequence[str] | None = None, size: int = TABLE_BYTES
) -> Iterator[pa.Table]:
    """Yield ``path`` in tables of about ``size`` bytes, checking that it has schema ``name``.

    ``columns`` are all unless given; one of them may be a leaf (``sentence_offsets.list.element.start``).
    """
    file = _opened(path, name)
    try:
        for batch in file.iter_batches(batch_size=ROWS, columns=columns):
            table = pa.Table.from_batches([batch])
            rows = max(1, len(table) * size // max(table.nbytes, 1))
            yield from (table.slice(start, rows) for start in range(0, len(table), rows))
    except (OSError, pa.ArrowInvalid) as error:
        raise DiscoError(f"{path} is damaged ({error}); {REMEDY}.") from error


def read_parquet(path: Path, name: Schema) -> list[dict[str, Any]]:
    """All records of ``path`` as a list."""
    return list(iterate_parquet(path, name))


def _opened(path: Path, name: Schema) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(path)
    except FileNotFoundError as error:
        raise DiscoError(f"{path} does not exist; rerun the rule that makes it.") from error
    except pa.ArrowInvalid as error:
        raise DiscoError(f"{path} is not a whole Parquet file ({error}); {REMEDY}.") from error
    if not file.schema_arrow.equals(schema(name)):
        raise DiscoError(f"{path} does not have schema {_called(name)}; {REMEDY}.")
    return file


def _called(name: Schema) -> str:
    return repr(name) if isinstance(name, str) else f"of {', '.join(name.names)}"
