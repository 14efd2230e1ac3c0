"""Which genres hold text of which test sets."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any


def overlap_matrix(contamination: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Documents of a genre that overlap with a task's test set, and the test instances they hold."""
    found: dict[tuple[str, str], tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for row in contamination:
        documents, instances = found[row["genre"], row["task"]]
        documents.add(row["id"])
        instances.add(row["instance"])
    return [
        {"genre": genre, "task": task, "documents": len(documents), "instances": len(instances)}
        for (genre, task), (documents, instances) in sorted(found.items())
    ]
