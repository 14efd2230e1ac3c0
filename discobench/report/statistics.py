"""Table 5: our corpus beside the paper's."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MEASURES = ("documents", "sentences", "characters_or_words")
Place = tuple[str, str, str]


def beside_paper(ours: Iterable[Mapping[str, Any]], paper: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    """A line per genre: its place in Table 5, and (our value, the paper's) of each measure.

    Genres of ours that the paper has not come last, without the paper's values. Totals are sums by language.
    """
    rows = list(ours)
    printed = {_place(row): row for row in paper}
    totals = [total for total in _totals(rows) if _place(total) in printed]
    found = {_place(row): row for row in [*rows, *totals]}
    places = [*printed, *(place for place in found if place not in printed)]
    return [
        dict(zip(("language", "category", "genre"), place, strict=True))
        | {name: (_number(found.get(place), name), _number(printed.get(place), name)) for name in MEASURES}
        for place in places
    ]


def _totals(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    languages = sorted({row["language"] for row in rows})
    return [
        {"language": language, "category": "Total", "genre": ""}
        | {name: sum(row[name] for row in rows if row["language"] == language) for name in MEASURES}
        for language in languages
    ]


def _place(row: Mapping[str, Any]) -> Place:
    return row["language"], row["category"], row["genre"]


def _number(row: Mapping[str, Any] | None, name: str) -> int | None:
    return int(row[name]) if row and row[name] not in ("", None) else None
