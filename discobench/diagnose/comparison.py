"""Which rows of a table of rankings can be told apart: McNemar's test of each pair, corrected by Holm's method."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

from discobench.diagnose.ranking import ASKED
from discobench.score.paired import holm

Ranking = Mapping[str, Any]
Shares = Mapping[str, tuple[str, float]]
"""By instance: its type, and the share of seeds that ranked it correctly."""


def compare(rankings: Iterable[Ranking]) -> dict[str, list[dict[str, Any]]]:
    """``pairs`` of rows of a task and reading, overall and by type, with ``p`` and ``holm``, and ``chances``.

    A row that was asked in words is compared, by what it answered, with each reading of the rows that rank by
    probabilities: an instance is correct or it is not, and ties and unread answers are not. Holm's method counts
    all pairs of a task and reading, for all types. With more than one seed an instance counts for the row that
    ranked it correctly with more of them (a sign test; with one seed it is McNemar's exact test). Instances that
    only one of two rows has are left out.
    """
    groups: dict[tuple[str, str], dict[str, list[Ranking]]] = {}
    for ranking in rankings:
        for reading in ranking["readings"]:
            groups.setdefault((ranking["task"], reading), {}).setdefault(ranking["row"], []).append(ranking)
    return {
        "pairs": [
            line
            for (task, reading), rows in groups.items()
            for line in _pairs(task, reading, rows, groups.get((task, ASKED), {}) if reading != ASKED else {})
        ],
        "chances": [
            {"task": task, "reading": reading, "type": kind, "chance": entry["chance"]}
            for (task, reading), rows in groups.items()
            for kind, entry in next(iter(rows.values()))[0]["readings"][reading].items()
        ],
    }


def _pairs(
    task: str, reading: str, rows: Mapping[str, Sequence[Ranking]], asked: Mapping[str, Sequence[Ranking]]
) -> list[dict[str, Any]]:
    shares = {row: _shares(own, reading) for row, own in rows.items()}
    shares |= {row: _shares(own, ASKED) for row, own in asked.items()}
    types = sorted({kind for own in shares.values() for kind, _ in own.values()})
    lines = [
        {"task": task, "reading": reading, "type": kind, "rows": [one, other]}
        | _tested(shares[one], shares[other], kind)
        for one, other in combinations(shares, 2)
        if one in rows
        for kind in ("overall", *types)
    ]
    corrected = holm([line["p"] for line in lines])
    return [line | {"holm": p} for line, p in zip(lines, corrected, strict=True)]


def _shares(rankings: Sequence[Ranking], reading: str) -> Shares:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for ranking in rankings:
        for instance in ranking["instances"]:
            found.setdefault(instance["id"], []).append(instance)
    return {
        id_: (own[0]["type"], fmean(instance["outcomes"][reading] == "correct" for instance in own))
        for id_, own in found.items()
    }


def _tested(one: Shares, other: Shares, kind: str) -> dict[str, Any]:
    both = [(one[id_][1], other[id_][1]) for id_ in one if id_ in other and kind in ("overall", one[id_][0])]
    better = [sum(a > b for a, b in both), sum(b > a for a, b in both)]
    return {"n": len(both), "better": better, "p": mcnemar(*better)}


def mcnemar(first: int, second: int) -> float:
    """Two-sided exact p that neither of two rows is better (McNemar 1947), from the instances one alone got right."""
    from scipy.stats import binomtest

    return float(binomtest(first, first + second).pvalue) if first + second else 1.0
