"""Parquet: one document a row, row group by row group."""

from collections.abc import Iterator
from itertools import count
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from discobench.corpus.formats.base import Blob, Manner, Raw, Refused, at_byte
from discobench.corpus.formats.blobs import seekable
from discobench.corpus.formats.records import columns_of, documents_of
from discobench.parquet import buffered, rows_within

BATCH = 4 << 20
"""Bytes of rows that are looked at together."""
BROKEN = (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError, UnicodeDecodeError)


def read_parquet(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The rows of the row groups that start in the wanted part; their bytes are those of the group.

    A group that is broken is lost from that row on, the others are not.
    """
    with seekable(blob) as whole, whole.stream(0) as stream:
        try:
            file, columns = _opened(stream, manner)
        except Refused:
            if blob.part[0]:
                return  # said by the part in front
            raise
        for group in range(file.num_row_groups):
            yield from _group(file, group, columns, blob, manner)


def _opened(stream: IO[bytes], manner: Manner) -> tuple[pq.ParquetFile, list[str]]:
    """The file and which of its columns are wanted; raises Refused."""
    try:
        file = buffered(stream)
        found = file.schema_arrow.names
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeDecodeError) as error:
        raise Refused("broken archive") from error
    return file, columns_of(found, manner)


def _group(file: pq.ParquetFile, group: int, columns: list[str], blob: Blob, manner: Manner) -> Iterator[Raw]:
    metadata = file.metadata
    start, end = _bytes(metadata.row_group(group))
    first, last = blob.part
    if start < first or (last is not None and start >= last):
        return
    numbers = count(sum(metadata.row_group(before).num_rows for before in range(group)))
    try:
        batches = file.iter_batches(rows_within(file, group, BATCH, columns), [group], columns)
        for row in (row for batch in batches for row in _rows(_as_text(batch))):
            place = at_byte(next(numbers))
            if row is None:
                yield Raw(place, "", start, end, reason="undecodable")
            else:
                yield from documents_of(row, manner, place, start, end)
    except BROKEN as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        yield Raw(at_byte(next(numbers)), "", start, end, reason="broken archive")


def _as_text(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Strings of bytes as text, which some writers do not say that they are; times, which are no fact, as nothing."""
    for place, field in enumerate(batch.schema):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            options = pc.CastOptions(pa.large_string(), allow_invalid_utf8=True)
            values = pc.cast(pc.cast(batch.column(place), kind), options=options)
            batch = batch.set_column(place, field.name, values)
        elif pa.types.is_temporal(kind):
            batch = batch.set_column(place, field.name, pa.nulls(len(batch)))
    return batch


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any] | None]:
    """Rows, or None for one whose text is no UTF-8, or that has a time no calendar has: Arrow takes a writer's word."""
    try:
        yield from batch.to_pylist()
    except (UnicodeDecodeError, OverflowError):
        if len(batch) == 1:
            yield None
        else:
            for number in range(len(batch)):
                yield from _rows(batch.slice(number, 1))


def _bytes(group: Any) -> tuple[int, int]:
    columns = [group.column(n) for n in range(group.num_columns)]
    starts = [min(c.data_page_offset, c.dictionary_page_offset or c.data_page_offset) for c in columns]
    return min(starts), max(s + c.total_compressed_size for s, c in zip(starts, columns, strict=True))
