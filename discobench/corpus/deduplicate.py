"""Documents without those that are decided against, and without their chapters that another document has."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from discobench.corpus.cut import bounds, replaced, touched, without
from discobench.corpus.duplicates import NAMES
from discobench.corpus.filters import REASONS
from discobench.errors import DiscoError
from discobench.sieve import Record, Sieve


class Deduplicator:
    """Sifts tables of documents by rows of schema ``duplicate``, which come in the order of the documents.

    No more is held than the rows of the document at hand; ``cut`` counts chapters and their characters.
    """

    def __init__(self, decisions: Iterable[Mapping[str, Any]], sieve: Sieve) -> None:
        self.sieve = sieve
        self.decisions = groupby(decisions, key=itemgetter("id"))
        self.ahead = next(self.decisions, None)
        self.cut = {"chapters": 0, "characters": 0}

    def __call__(self, table: pa.Table) -> pa.Table:
        """The documents that stay, some without a chapter."""
        reasons: dict[int, str] = {}
        changed: dict[int, Record] = {}
        for place, name in enumerate(table["id"].to_pylist()):
            decisions = self._decisions(name)
            verdict = self._judged(table.slice(place, 1), decisions) if decisions else None
            if isinstance(verdict, str):
                reasons[place] = verdict
            elif verdict:
                changed[place] = verdict
        return self.sieve.table(replaced(table, changed), reasons)

    def finish(self) -> None:
        """Raise DiscoError when a decision is left: it was made on other documents, or in another order."""
        if self.ahead is not None:
            raise DiscoError(
                f"the decisions on duplicates name {self.ahead[0]!r} where the shard has no such document; "
                "delete duplicates.balance.json of the language and rerun."
            )

    def _decisions(self, name: str) -> list[Mapping[str, Any]]:
        """The rows on a document, taken from what is ahead."""
        if self.ahead is None or self.ahead[0] != name:
            return []
        found = list(self.ahead[1])
        self.ahead = next(self.decisions, None)
        return found

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
