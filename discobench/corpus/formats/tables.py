"""CSV and TSV of any encoding: a header, then one document a row."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from discobench.corpus.formats.base import Blob, Manner, Raw, Refused, at_byte
from discobench.corpus.formats.records import columns_of, documents_of
from discobench.corpus.formats.text import fault, lines_of


def read_csv(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """Comma-separated rows; cells may be quoted and hold line ends."""
    yield from _documents(blob, manner, ",", csv.QUOTE_MINIMAL)


def read_tsv(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """Tab-separated rows, in which quotation marks are characters like others."""
    yield from _documents(blob, manner, "\t", csv.QUOTE_NONE)


def _documents(blob: Blob, manner: Manner, delimiter: str, quoting: Literal[0, 3]) -> Iterator[Raw]:
    usual = csv.field_size_limit(manner.limits.document)  # of the whole process
    try:
        yield from _read(blob, manner, delimiter, quoting)
    finally:
        csv.field_size_limit(usual)


def _read(blob: Blob, manner: Manner, delimiter: str, quoting: Literal[0, 3]) -> Iterator[Raw]:
    rows = _rows(_Lines(blob, manner), delimiter, quoting)
    header, _, _ = next(rows, ([], 0, 0))
    columns_of(header, manner)
    for row, start, end in rows:
        if len(row) != len(header):
            yield Raw(at_byte(start), "", start, end, reason="wrong number of cells")
        else:
            value = dict(zip(header, row, strict=True))
            yield from documents_of(value, manner, at_byte(start), start, end)


def _rows(lines: "_Lines", delimiter: str, quoting: Literal[0, 3]) -> Iterator[tuple[list[str], int, int]]:
    reader, start = csv.reader(lines, delimiter=delimiter, quoting=quoting), 0
    try:
        for row in reader:
            if row:
                yield row, start, lines.end
            start = lines.end
    except csv.Error as error:
        raise Refused("not a table") from error


class _Lines:
    """Lines with their ends for the csv module, which does not say how far it has read."""

    def __init__(self, blob: Blob, manner: Manner) -> None:
        self.lines, self.end = lines_of(blob, replace(manner, document="line")), 0
        self.limit = manner.limits.document

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            text, _, self.end = line if line[0] is not None else (None, 0, self.end)
            if text is None:
                raise Refused(fault(line, self.limit) or "undecodable")
            yield text + "\n"
