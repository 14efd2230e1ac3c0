"""Sizes of the corpus as Table 5 counts them."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

PLACE = ["language", "category", "genre"]
COLUMNS = [*PLACE, "units", "sentence_offsets.list.element.start"]
"""What is read of a document."""
COUNTS = ["documents", "sentences", "characters_or_words"]


def statistics(tables: Iterable[pa.Table]) -> list[dict[str, Any]]:
    """Rows of schema ``statistics`` from tables of COLUMNS: one per language, category and genre, sorted."""
    sums: dict[tuple[str, ...], list[int]] = {}
    for table in tables:
        for place, counts in _counted(table):
            sums[place] = [one + other for one, other in zip(sums.get(place, [0] * len(COUNTS)), counts, strict=True)]
    return [dict(zip([*PLACE, *COUNTS], [*place, *sums[place]], strict=True)) for place in sorted(sums)]


def _counted(table: pa.Table) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Documents, sentences, and characters or words of each place in a table."""
    if not len(table):
        return
    sentences = pc.cast(pc.list_value_length(table["sentence_offsets"]), pa.int64())
    counted = table.select([*PLACE, "units"]).append_column("sentences", sentences)
    found = counted.group_by(PLACE).aggregate([([], "count_all"), ("sentences", "sum"), ("units", "sum")])
    for row in found.select([*PLACE, "count_all", "sentences_sum", "units_sum"]).to_pylist():
        *place, documents, sentences, units = row.values()
        yield tuple(place), [documents, sentences, units]
