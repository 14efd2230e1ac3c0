"""What text expansion deletes and keeps."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discobench.synthesis.filtering import Limits
from discobench.synthesis.rules import TYPES

Record = Mapping[str, Any]
PERPLEXITIES = (50, 100, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000)
RATIOS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5, 2.0, 3.0)


def expansion_statistics(
    kept: Iterable[Record], scores: Iterable[Record], pruned: Sequence[Record], limits: Limits
) -> dict[str, Any]:
    """Insertions of kept instances by type (Table 13) and rule, and the share of candidates that limits keep.

    ``scores`` are of all candidates, ``pruned`` the notes of the steps that deleted. Lengths are in words
    between blanks; ``rate`` is what was deleted of what could have been, before the filter.
    """
    words, types, rules, instances, total = Counter[str](), Counter[str](), Counter[str](), 0, 0
    for record in kept:
        instances += 1
        total += len(record["target"].split())
        for insertion in record["insertions"]:
            types[insertion["type"]] += 1
            rules[insertion["rule"]] += 1
            words[insertion["type"]] += len(record["target"][insertion["start"] : insertion["end"]].split())
    counted = {name: _summed(pruned, name) for name in ("deletable", "deleted")}
    found = [(row["source"], row["source"] / row["target"]) for row in scores]
    return {
        "instances": {"candidates": len(found), "kept": instances},
        "words": {"target": total, "inserted": words.total()},
        "types": {name: _type(name, types, words, counted) for name in TYPES},
        "rules": dict(sorted(rules.items())),
        "kept_by": {
            "perplexity": _shares([perplexity for perplexity, _ in found], (*PERPLEXITIES, limits.max_perplexity)),
            "ratio": _shares([ratio for _, ratio in found], (*RATIOS, limits.max_ratio)),
        },
        "limits": {"perplexity": limits.max_perplexity, "ratio": limits.max_ratio},
    }


def _summed(notes: Sequence[Record], name: str) -> Counter[str]:
    total = Counter[str]()
    for note in notes:
        total.update(note.get(name, {}))
    return total


def _type(
    name: str, types: Counter[str], words: Counter[str], counted: Mapping[str, Counter[str]]
) -> dict[str, float | int]:
    return {
        "insertions": types[name],
        "share": _quotient(types[name], types.total()),
        "words": _quotient(words[name], types[name]),
        "deletable": counted["deletable"][name],
        "rate": _quotient(counted["deleted"][name], counted["deletable"][name]),
    }


def _quotient(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _shares(values: Sequence[float], limits: Sequence[float]) -> list[list[float]]:
    """(limit, share of values that are not above it) in the order of the limits."""
    return [[limit, _quotient(sum(v <= limit for v in values), len(values))] for limit in sorted({*map(float, limits)})]
