"""Documents without those that are decided against, and without their chapters that another document has."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from discobench.corpus.cut import bounds, replaced, touched, without
from discobench.corpus.duplicates import NAMES
from discobench.corpus.filters import REASONS
from discobench.sieve import Record, Sieve


class Deduplicator:
    """Sifts tables of documents by rows of schema ``duplicate``; ``cut`` counts chapters and their characters."""

    def __init__(self, decisions: Iterable[Mapping[str, Any]], sieve: Sieve) -> None:
        self.sieve = sieve
        self.decisions: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for decision in decisions:
            self.decisions[decision["id"]].append(decision)
        self.cut = {"chapters": 0, "characters": 0}

    def __call__(self, table: pa.Table) -> pa.Table:
        """The documents that stay, some without a chapter."""
        reasons: dict[int, str] = {}
        changed: dict[int, Record] = {}
        for place, name in enumerate(table["id"].to_pylist()):
            decisions = self.decisions.get(name)
            verdict = self._judged(table.slice(place, 1), decisions) if decisions else None
            if isinstance(verdict, str):
                reasons[place] = verdict
            elif verdict:
                changed[place] = verdict
        return self.sieve.table(replaced(table, changed), reasons)

    def _judged(self, row: pa.Table, decisions: list[Mapping[str, Any]]) -> str | Record:
        """Why a document is dropped, or else what is left of it."""
        reason: str = min((decision["reason"] for decision in decisions), key=NAMES.index)
        spans = [(decision["start"], decision["end"]) for decision in decisions]
        if reason in REASONS or spans == [(0, len(row["text"][0].as_py()))]:
            return reason
        record: Record = row.to_pylist()[0]
        rest = without(record, touched(bounds(record), spans))
        if not rest["units"]:
            return reason
        self.cut["chapters"] += len(spans)
        self.cut["characters"] += len(record["text"]) - len(rest["text"])
        return rest
