"""Sizes of the corpus as Table 5 counts them."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from discobench.sieve import Record

Key = tuple[str, str, str]


def statistics(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Rows of schema ``statistics``, one per language, category and genre, in order of appearance."""
    sizes: dict[Key, Counter[str]] = defaultdict(Counter)
    for record in records:
        size = sizes[record["language"], record["category"], record["genre"]]
        size["documents"] += 1
        size["sentences"] += len(record["sentence_offsets"])
        size["characters_or_words"] += record["units"]
    return [
        {"language": language, "category": category, "genre": genre, **size}
        for (language, category, genre), size in sizes.items()
    ]
