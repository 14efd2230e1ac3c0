"""What Table 11 says beside its accuracies: instances, chance, and which rows cannot be told apart."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.diagnose.comparison import compare
from discobench.files import read_json
from discobench.report.layout import OVERALL, READINGS, Column
from discobench.report.long import Line
from discobench.report.paper import Key

LEVEL = 0.05
LEGEND = (
    "In brackets: 95 % interval (Wilson); values and bounds of rows with several seeds are means over them. "
    "≈: not told apart from the best of the column (McNemar's exact test of each pair of rows, by the instances that "
    "each ranked correctly, of several seeds with more of them; Holm over a task's pairs and types, 5 %). "
    "Ties and answers without a number are not correct; rows that were asked in words are compared "
    "with the others too. A choice is one decision, so that MRC has one reading."
)
ODD = ("ties", "unread", "cut")
"""Outcomes that are told beside an accuracy: the first two count as wrong, the last lost some of their text."""
Comparisons = Mapping[str, Sequence[Mapping[str, Any]]]
"""What ``compare`` gives: ``pairs`` of rows, and ``chances``."""
NONE: Comparisons = {"pairs": (), "chances": ()}


def read_comparisons(paths: Sequence[Path]) -> Comparisons:
    """Those of the rows that some files of rankings are of."""
    return compare(read_json(path) for path in paths)


def counted(rankings: Iterable[Mapping[str, Any]]) -> dict[Key, tuple[str, tuple[str, ...]]]:
    """Row, task and metric -> the accuracy of chance in per cent, and ``odd`` outcomes of all seeds with their n."""
    found: dict[Key, list[Mapping[str, Any]]] = {}
    for ranking in rankings:
        for reading, types in ranking["readings"].items():
            for kind, entry in types.items():
                cut = ranking.get("cut", 0) if kind == OVERALL else 0
                found.setdefault((ranking["row"], ranking["task"], f"{kind}/{reading}"), []).append(
                    entry | {"cut": cut}
                )
    return {key: (f"{seeds[0]['chance']:.1f}", tuple(_odd(seeds))) for key, seeds in found.items()}


def _odd(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    of = sum(entry["n"] for entry in entries)
    for name in ODD:
        if count := sum(entry.get(name, 0) for entry in entries):
            yield f"{name} {count} of {of}"


def odd_rankings(ranking: Mapping[str, Any]) -> list[str]:
    """What a ranking holds of ties, unread answers and instances that were cut, by reading."""
    cut = [f"cut {ranking['cut']} of {ranking['n']}"] if ranking.get("cut") else []
    readings = ranking.get("readings", {}).items()
    return cut + [f"{text}, {READINGS[name]}" for name, types in readings for text in _odd([types[OVERALL]])]


def like_the_best(lines: Sequence[Line], comparisons: Comparisons) -> frozenset[Key]:
    """Cells below the best of their column whose row was compared with it and found no different."""
    values = {(line["row"], line["task"], line["metric"]): line["value"] for line in lines if line["value"] is not None}
    found: set[Key] = set()
    for pair in comparisons["pairs"]:
        task, metric = pair["task"], f"{pair['type']}/{pair['reading']}"
        best = max((value for key, value in values.items() if key[1:] == (task, metric)), default=None)
        own = {(row, task, metric): values.get((row, task, metric)) for row in pair["rows"]}
        if pair["holm"] >= LEVEL and best is not None and best in own.values():
            found |= {key for key, value in own.items() if value is not None and value < best}
    return frozenset(found)


def notes(
    columns: Sequence[Column], lines: Sequence[Line], comparisons: Comparisons, labels: Mapping[str, str]
) -> tuple[str, ...]:
    """How many instances each column has, what chance gets there, and who is better than whom beyond doubt.

    Nothing where no ranking was run.
    """
    if not any("/" in column.metric for column in columns):
        return ()
    counts = {(line["task"], line["metric"]): line["n"] for line in lines if line["n"]}
    chances = {(c["task"], f"{c['type']}/{c['reading']}"): c["chance"] for c in comparisons["chances"]}
    said = [
        f"{column.metric.split('/')[0]} n = {counts[key]}" + (f", {chances[key]:.1f}" if key in chances else "")
        for column in columns
        for key in [(column.task, column.metric)]
        if key in counts
    ]
    if not said:
        return ()
    wanted = {(column.task, column.metric) for column in columns}
    apart = "; ".join(
        _better(pair, labels)
        for pair in comparisons["pairs"]
        if (pair["task"], f"{pair['type']}/{pair['reading']}") in wanted and pair["holm"] < LEVEL
    )
    counted = f"Instances and the accuracy of chance in per cent: {'; '.join(said)}."
    return (counted, LEGEND, f"Told apart: {apart}.") if apart else (counted, LEGEND)


def _better(pair: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    names = [f"{labels[row]} ({row})" for row in pair["rows"]]
    better, worse = names if pair["better"][0] > pair["better"][1] else names[::-1]
    won, lost = sorted(pair["better"], reverse=True)
    return f"{pair['type']}: {better} above {worse}, {won} to {lost}, p = {pair['holm']:.4f}"
