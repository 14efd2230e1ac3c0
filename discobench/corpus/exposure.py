"""Overlaps of all shards added up: genre by task, and how much of each test instance the corpus has."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from discobench.corpus.hashes import Distinct, Hashes, among
from discobench.corpus.overlap import flat

Row = Mapping[str, Any]
Cell = tuple[str, str]


def overlaps(found: Iterable[Row], spans: Iterable[Row]) -> list[dict[str, Any]]:
    """Rows of schema ``overlaps`` by genre and task, from rows of ``overlap`` and ``contamination``.

    Documents that share n-grams with the test set, those dropped and cut for it, and the characters
    (zh) or words (en) that went; what two tasks remove counts for both.
    """
    sums: dict[Cell, dict[str, int]] = defaultdict(lambda: dict.fromkeys(("documents", "dropped", "cut", "units"), 0))
    for row in found:
        cell = sums[row["genre"], row["task"]]
        cell["documents"] += 1
        cell["dropped"] += row["removed"] == "document"
        cell["cut"] += row["removed"] == "span"
        cell["units"] += row["units"]
    instances: dict[Cell, set[str]] = defaultdict(set)
    for row in spans:
        instances[row["genre"], row["task"]].add(row["instance"])
    return [
        {"genre": genre, "task": task, "instances": len(instances[genre, task]), **sums[genre, task]}
        for genre, task in sorted(sums)
    ]


def shared(tables: Iterable[pa.Table]) -> tuple[Hashes, Hashes]:
    """The n-grams in tables of schema ``gram``, rising, and those of them that documents still have."""
    seen, left = Distinct(), Distinct()
    for table in tables:
        seen.add(_hashes(table))
        left.add(_hashes(table.filter(table["left"])))
    return seen.hashes(), left.hashes()


def _hashes(table: pa.Table) -> Hashes:
    found: Hashes = table["hash"].to_numpy().view(np.uint64)
    return found


def exposure(ngrams: pa.Table, language: str, seen: Hashes, left: Hashes) -> Iterator[Row]:
    """Rows of schema ``exposure``: the share of an instance's n-grams that documents had, and still have.

    ``ngrams`` is of schema ``ngrams``. An instance without n-grams has no shares.
    """
    owners, hashes = flat(ngrams)
    sizes = np.bincount(owners, minlength=len(ngrams))
    counts = [np.bincount(owners[among(hashes, known)], minlength=len(ngrams)) for known in (seen, left)]
    shares = [[c / n if n else None for c, n in zip(count.tolist(), sizes.tolist(), strict=True)] for count in counts]
    names = (ngrams[name].to_pylist() for name in ("task", "instance"))
    for task, instance, size, had, has in zip(*names, sizes.tolist(), *shares, strict=True):
        yield {"task": task, "instance": instance, "language": language, "ngrams": size, "seen": had, "left": has}
