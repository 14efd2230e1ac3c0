"""What each genre's licence lets be released, as the page says it."""

from collections.abc import Iterable, Mapping
from typing import Any

from discobench.config.data import Licence

CLOSED = "cannot be released"


def licences_shown(rows: Iterable[Mapping[str, Any]], known: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of schema ``licence``, each with what it ``allows``; ``known`` are the terms of ``licences`` by name."""
    return [{**row, "allows": _allows(row["licence"], known)} for row in rows]


def _allows(licence: str | None, known: Mapping[str, Mapping[str, Any]]) -> str:
    if licence is None:
        return f"none: {CLOSED}"
    if licence not in known:
        return f"not among the known licences: {CLOSED}"
    terms = Licence(**known[licence])
    return f"{'texts' if terms.texts else 'ids and checksums'}, {'models' if terms.passes_models else 'no models'}"
