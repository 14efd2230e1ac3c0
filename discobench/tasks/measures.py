"""What there is in the splits of a task: records, works, lengths of texts, labels. Read once, one record at a time."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from discobench.corpus.texts import units
from discobench.parquet import iterate_parquet
from discobench.records import SPLITS, beside
from discobench.tasks.base import Record, Task

TEXTS = {
    "span": ("context", "question"),
    "gaps": ("text",),
    "choice": ("passage", "question", "choices"),
    "text": ("source", "target"),
}
"""Which texts of an example have lengths of interest, by formulation; the first is the one to read."""
UNITS = {"zh": "characters"}
PERCENTILES = (5, 25, 50, 75, 95, 100)


@dataclass(slots=True)
class Measured:
    """One split; ``lengths`` are those of every record, by the name of the text."""

    records: int = 0
    works: set[str] = field(default_factory=set)
    sources: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    lengths: defaultdict[str, "array[int]"] = field(default_factory=lambda: defaultdict(lambda: array("q")))

    def add(self, task: Task, record: Record) -> None:
        """Take in one record."""
        self.records += 1
        self.works.add(str(record["work_id"]))
        self.sources[str(record["source"])] += 1
        self.labels.update(task.labels(record))
        for name, text, language in _texts(task, record):
            self.lengths[name].append(units(text, language))

    def mean(self, name: str) -> float:
        """Mean length of a text; 0 without records."""
        return float(np.mean(self.lengths[name])) if self.lengths[name] else 0.0

    def percentiles(self, name: str) -> list[int]:
        """Lengths at ``PERCENTILES``, each that of a record."""
        return [int(value) for value in np.percentile(self.lengths[name], PERCENTILES, method="lower")]


def measured(task: Task, records: Iterable[Record]) -> Measured:
    """Everything about one split."""
    found = Measured()
    for record in records:
        found.add(task, record)
    return found


def built(task: Task, manifest: Path) -> dict[str, Measured]:
    """Every split of a task, read from the files that its build's manifest vouches for."""
    paths = {split: beside(manifest, f"{split}.parquet") for split in SPLITS}
    return {split: measured(task, iterate_parquet(path, task.schema)) for split, path in paths.items()}


def unit(task: Task, name: str) -> str:
    """What the lengths of a text are counted in: characters without blanks (zh) or words (en)."""
    return UNITS.get(_language(task, name), "words")


def _texts(task: Task, record: Record) -> Iterator[tuple[str, str, str]]:
    example = task.example(record)
    for name in TEXTS[task.formulation]:
        value: str | Sequence[str] = getattr(example, name)
        yield name, value if isinstance(value, str) else "\n".join(value), _language(task, name)


def _language(task: Task, name: str) -> str:
    return task.languages[name == "target"]


def shares(counts: Counter[str], limit: int) -> list[tuple[str, int]]:
    """The ``limit`` commonest labels, commonest first, and the sum of the others where there are more."""
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    rest: list[Any] = ranked[limit:]
    return ranked[:limit] + ([(f"{len(rest)} others", sum(n for _, n in rest))] if rest else [])
