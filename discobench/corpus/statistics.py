"""Sizes of the corpus as Table 5 counts them."""

from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

PLACE = ["language", "category", "genre"]
COLUMNS = [*PLACE, "units", "sentence_offsets.list.element.start"]
"""What is read of a document."""


def statistics(tables: Iterable[pa.Table]) -> list[dict[str, Any]]:
    """Rows of schema ``statistics`` from tables of COLUMNS: one per language, category and genre, sorted."""
    parts = [_sums(table) for table in tables if len(table)]
    if not parts:
        return []
    sums = pa.concat_tables(parts).group_by(PLACE).aggregate([(name, "sum") for name in parts[0].column_names[3:]])
    named = sums.rename_columns([name.removesuffix("_sum") for name in sums.column_names])
    rows: list[dict[str, Any]] = named.sort_by([(name, "ascending") for name in PLACE]).to_pylist()
    return rows


def _sums(table: pa.Table) -> pa.Table:
    counted = table.select(PLACE).append_column(
        "sentences", pc.cast(pc.list_value_length(table["sentence_offsets"]), pa.int64())
    )
    counted = counted.append_column("characters_or_words", table["units"])
    sums = counted.group_by(PLACE).aggregate([([], "count_all"), ("sentences", "sum"), ("characters_or_words", "sum")])
    return sums.select([*PLACE, "count_all", "sentences_sum", "characters_or_words_sum"]).rename_columns(
        [*PLACE, "documents", "sentences", "characters_or_words"]
    )
