"""Test works, and what test sets from outside the corpus have too, taken out of the corpus and told.

For each task a document is dropped whole when at least a threshold's share of its n-grams are in the
task's test set. Below that, unit ``span`` cuts the sentences concerned, unit ``document`` nothing.
Works of the validation split pass: they are packed apart from what is trained on (docs/architecture.md).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discobench.corpus.cut import bounds, replaced, touched, without
from discobench.corpus.hashes import Distinct, among, rising
from discobench.corpus.overlap import Hits, Index
from discobench.corpus.texts import units
from discobench.schema import schema
from discobench.sieve import Record, Sieve, Sink


@dataclass(frozen=True, slots=True)
class Terms:
    """How a task's test set is held against documents; keys of ``corpus.decontamination``."""

    unit: str
    threshold: float


class Found:
    """What is told beside the documents: rows of schemas ``contamination`` and ``overlap``, and n-grams.

    Rows go to sinks, one document's after another's; by default to lists.
    """

    def __init__(self, spans: Sink[dict[str, Any]] | None = None, overlaps: Sink[dict[str, Any]] | None = None) -> None:
        self.spans: Sink[dict[str, Any]] = [] if spans is None else spans
        self.overlaps: Sink[dict[str, Any]] = [] if overlaps is None else overlaps
        self.seen, self.left = Distinct(), Distinct()

    def grams(self) -> pa.Table:
        """Schema ``gram``: the n-grams of test sets that were seen, and whether documents still have them."""
        seen, left = self.seen.hashes(), self.left.hashes()
        return pa.table({"hash": seen.view(np.int64), "left": among(seen, left)}, schema=schema("gram"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the test set of one task does to a document: drops it, or cuts ``sentences`` (numbers), or nothing."""

    task: str
    share: float
    whole: bool
    sentences: list[int]

    @property
    def removed(self) -> str:
        """One of ``document``, ``span``, ``nothing``."""
        return "document" if self.whole else "span" if self.sentences else "nothing"


class Decontaminator:
    """Sifts tables of schema ``document``; ``found`` grows."""

    def __init__(self, index: Index, terms: Mapping[str, Terms], sieve: Sieve, found: Found) -> None:
        self.index, self.terms, self.sieve, self.found = index, terms, sieve, found

    def __call__(self, table: pa.Table) -> pa.Table:
        """The documents that stay, some without the sentences that a test set has."""
        test = pc.equal(table["split"], "test").to_numpy()
        reasons = dict.fromkeys(np.flatnonzero(test).tolist(), "test work")
        others = np.flatnonzero(~test)
        hits, sizes = self.index.search(table["text"].take(others).to_pylist())
        changed: dict[int, Record] = {}
        for number, rows in hits.by_document():
            place = int(others[number])
            record = table.slice(place, 1).to_pylist()[0]
            rest = self._rest(record, rows, int(sizes[number]))
            if rest is None:
                reasons[place] = "contaminated"
            elif rest is not record:
                changed[place] = rest
        return self.sieve.table(replaced(table, changed), reasons)

    def _rest(self, record: Record, hits: Hits, size: int) -> Record | None:
        """What is left of a record: itself, a shorter one, or nothing."""
        verdicts = [self._verdict(record, task, rows, size) for task, rows in self._by_task(hits)]
        cut = sorted({number for verdict in verdicts for number in verdict.sentences})
        if any(verdict.whole for verdict in verdicts) or len(cut) == len(record["sentence_offsets"]):
            return None
        untouched = [verdict.task for verdict in verdicts if not verdict.sentences]
        for task, rows in self._by_task(hits):
            if task in untouched:
                self.found.left.add(rows.hash)
        return without(record, cut) if cut else record

    def _by_task(self, hits: Hits) -> Iterator[tuple[str, Hits]]:
        tasks = np.array([self.index.tasks[owner] for owner in hits.owner])
        return ((task, hits.rows(tasks == task)) for task in sorted(set(tasks.tolist())))

    def _verdict(self, record: Record, task: str, hits: Hits, size: int) -> Verdict:
        """Judge by one task, and tell what was found."""
        terms, spans = self.terms[task], hits.spans()
        share = len(rising(hits.place)) / (size - self.index.n_of[task] + 1)
        sentences = touched(bounds(record), spans) if terms.unit == "span" else []
        verdict = Verdict(task, share, share >= terms.threshold, sentences)
        about = {"id": record["id"], "genre": record["source"], "task": task}
        self.found.seen.add(hits.hash)
        for start, end, owner in spans:
            self.found.spans.append({**about, "instance": self.index.instances[owner], "start": start, "end": end})
        told = {"share": share, "removed": verdict.removed, "units": _units_removed(record, verdict)}
        self.found.overlaps.append({**about, **told})
        return verdict


def _units_removed(record: Record, verdict: Verdict) -> int:
    if verdict.whole:
        return int(record["units"])
    spans = [bounds(record)[number] for number in verdict.sentences]
    return units("\n".join(record["text"][start:end] for start, end in spans), record["language"])
