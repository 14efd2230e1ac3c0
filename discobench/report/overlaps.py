"""What the corpus and the test sets from outside it have in common."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

SEEN = 0.8
"""Least share of an instance's n-grams that makes it seen, as Llama 2's authors choose (Touvron et al. 2023, A.6)."""


def exposed(exposure: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Instances of each task and language: all, long enough to be found, seen, and seen in what is trained on."""
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(
        lambda: dict.fromkeys(("instances", "measured", "seen", "left"), 0)
    )
    for row in exposure:
        line = found[row["task"], row["language"]]
        line["instances"] += 1
        line["measured"] += row["ngrams"] > 0
        line["seen"] += (row["seen"] or 0) >= SEEN
        line["left"] += (row["left"] or 0) >= SEEN
    return [{"task": task, "language": language, **counts} for (task, language), counts in sorted(found.items())]
