"""What Table 11 says beside its accuracies: instances, chance, and which rows cannot be told apart."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.files import read_json
from discobench.report.layout import Column
from discobench.report.long import Line
from discobench.report.paper import Key

LEVEL = 0.05
LEGEND = (
    "In brackets: 95 % interval (Wilson). ≈: not told apart from the best of the column "
    "(McNemar's exact test of each pair of rows, Holm over a task's pairs and types, 5 %)."
)
Comparisons = Mapping[str, Sequence[Mapping[str, Any]]]
"""What rule ``compare`` writes: ``pairs`` of rows, and ``chances``."""
NONE: Comparisons = {"pairs": (), "chances": ()}


def read_comparisons(paths: Sequence[Path]) -> Comparisons:
    """The comparisons of a run, where it has a file of them."""
    found: Comparisons = read_json(paths[0]) if paths else NONE
    return found


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


def notes(columns: Sequence[Column], lines: Sequence[Line], comparisons: Comparisons) -> tuple[str, ...]:
    """How many instances each column has and what chance gets there; nothing where no ranking was run."""
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
    return (f"Instances and the accuracy of chance in per cent: {'; '.join(said)}.", LEGEND) if said else ()
