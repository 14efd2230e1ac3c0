"""Documents without some of their sentences."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from discobench.corpus.texts import digest, units
from discobench.sieve import Record

Span = tuple[int, int]


def bounds(record: Record) -> list[Span]:
    """Start and end of a record's sentences."""
    return [(span["start"], span["end"]) for span in record["sentence_offsets"]]


def touched(sentences: Sequence[Span], spans: Iterable[tuple[int, ...]]) -> list[int]:
    """Numbers of the sentences (rising, apart from each other) that share a character with a span."""
    starts, ends = np.array(sentences, np.int64).reshape(-1, 2).T
    numbers = [
        np.arange(np.searchsorted(ends, start, side="right"), np.searchsorted(starts, end)) for start, end, *_ in spans
    ]
    return [int(n) for n in np.unique(np.concatenate([np.empty(0, np.int64), *numbers]))]


def without(record: Record, numbers: Sequence[int]) -> dict[str, Any]:
    """A record of schema ``document`` less some sentences; the others keep their bounds, moved.

    Of the blanks before and after a run of cut sentences, those with more line ends stay.
    """
    text = record["text"]
    spans = bounds(record)
    kept = np.setdiff1d(np.arange(len(spans)), numbers).tolist()
    pieces: list[str] = []
    offsets: list[dict[str, int]] = []
    size, before = 0, -1
    for number in kept:
        gap = _gap(text, spans, before, number)
        start, end = spans[number]
        pieces += [gap, text[start:end]]
        size += len(gap) + end - start
        offsets.append({"start": size - (end - start), "end": size})
        before = number
    rest = "".join(pieces)
    found = {"sentence_offsets": offsets, "units": units(rest, record["language"]), "sha256": digest(rest)}
    return {**record, "text": rest, **found}


def _gap(text: str, spans: Sequence[Span], before: int, number: int) -> str:
    """The blanks between two sentences that become neighbours; none before the first."""
    if before < 0:
        return ""
    first = text[spans[before][1] : spans[before + 1][0]]
    last = text[spans[number - 1][1] : spans[number][0]]
    return last if last.count("\n") > first.count("\n") else first


def replaced(table: pa.Table, changed: Mapping[int, Record]) -> pa.Table:
    """The table with other records in some places."""
    if not changed:
        return table
    order = np.arange(len(table))
    order[list(changed)] = len(table) + np.arange(len(changed))
    return pa.concat_tables([table, pa.Table.from_pylist(list(changed.values()), table.schema)]).take(order)
