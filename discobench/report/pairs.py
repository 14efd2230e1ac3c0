"""Pairs of rows in a table of scores: who is told apart from whom, instance by instance."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np

from discobench.errors import DiscoError
from discobench.files import open_text, whole
from discobench.parquet import read_parquet
from discobench.report.layout import Layout
from discobench.report.long import Line, Score
from discobench.report.paper import Key, read_csv
from discobench.report.rankings import Comparisons
from discobench.score.measure import Array
from discobench.score.paired import holm, randomised
from discobench.score.registry import value_of
from discobench.tasks import task as find

COLUMNS = ("table", "task", "metric", "with", "first", "second", "n", "difference", "p", "p_holm", "samples")
RANKED = ("table", "task", "metric", "first", "second", "n", "first_better", "second_better", "p", "p_holm")
"""Columns of pairs that were compared by what they ranked correctly; ``metric`` as in the table's lines."""
BASELINES = "baseline"
Units = dict[str, Array]
"""Counts by id of the unit."""
Pair = dict[str, Any]


def counts(path: Path) -> dict[tuple[str, int, str], Units]:
    """Row, seed (of a file of model scores, else "" and 0) and metric -> the counts of each unit."""
    found: dict[str, Units] = {}
    for row in read_parquet(path, "instance"):
        if row["counts"] is not None:
            found.setdefault(row["metric"], {})[row["id"]] = np.array(row["counts"])
    return {_name(metric): units for metric, units in found.items()}


def _name(metric: str) -> tuple[str, int, str]:
    row, slash, seed = metric.partition("/seed-")
    return (row, int(seed), "") if slash else ("", 0, metric)


def units_of(scores: Iterable[Score]) -> dict[Key, list[Units]]:
    """The counts behind every score, one for each seed of a row, task and metric."""
    found: dict[Key, list[Units]] = {}
    for source, members in groupby(sorted(scores, key=lambda s: s.source), key=lambda s: s.source):
        path = Path(source)
        beside = path.with_name("instances.parquet") if path.name == "scores.json" else path.with_suffix(".parquet")
        stored = counts(beside) if beside.is_file() else {}
        for score in members:
            units = stored.get(("", 0, score.metric)) or stored.get((score.row, score.seed, ""))
            if units:
                found.setdefault((score.row, score.task, score.metric), []).append(units)
    return found


def partners(
    lines: Sequence[Line], layout: Layout, origins: Mapping[str, Mapping[str, str]]
) -> list[tuple[str, Line, Line]]:
    """The pairs of a table: ``best`` with each other model of its column, and each with the ``origin`` of its training.

    ``origins`` is task -> row -> the row that it goes on from. Trivial baselines are left out.
    """
    columns: dict[tuple[str, str], dict[str, Line]] = {}
    for line in lines:
        if line["value"] is not None and line["group"] != BASELINES:
            columns.setdefault((line["task"], line["metric"]), {})[line["row"]] = line
    return [
        pair
        for (task, metric), rows in columns.items()
        for pair in _of_column(rows, layout.look(metric).better, origins.get(task, {}))
    ]


def _of_column(rows: Mapping[str, Line], better: str, origin: Mapping[str, str]) -> list[tuple[str, Line, Line]]:
    sign = -1 if better == "lower" else 1
    best = max(rows.values(), key=lambda line: sign * line["value"])
    continued = [(line, rows[origin[row]]) for row, line in rows.items() if origin.get(row) in rows]
    return [("best", best, line) for line in rows.values() if line is not best] + [
        ("origin", *pair) for pair in continued if best is not pair[0] and best is not pair[1]
    ]


def compared(
    pairs: Sequence[tuple[str, Line, Line]], units: Mapping[Key, Sequence[Units]], samples: int, seed: int
) -> list[Pair]:
    """Every pair whose metric follows from counts per unit, its p-value adjusted over all of them."""
    found = [pair | {"with": kind} for kind, a, b in pairs if (pair := _compare(a, b, units, samples, seed))]
    adjusted = holm([pair["p"] for pair in found])
    return [pair | {"p_holm": p} for pair, p in zip(found, adjusted, strict=True)]


def _compare(a: Line, b: Line, units: Mapping[Key, Sequence[Units]], samples: int, seed: int) -> Pair | None:
    value = value_of(find(a["task"]), a["metric"])
    mine, other = (units.get((line["row"], line["task"], line["metric"]), ()) for line in (a, b))
    if value is None or not mine or not other:
        return None
    first, second = _alike(mine, other, f"Table {a['table']}, {a['task']} {a['metric']}: {a['row']} and {b['row']}")
    found = randomised(first, second, value, samples, seed)
    named = {"table": a["table"], "task": a["task"], "metric": a["metric"], "first": a["row"], "second": b["row"]}
    return named | {"n": len(first), "difference": found.value, "p": found.p, "samples": found.samples}


def _alike(mine: Sequence[Units], other: Sequence[Units], where: str) -> tuple[Array, Array]:
    """Sums over seeds in one order of ids, weighted to as many seeds on both sides, so that they stay whole.

    Raises DiscoError when the two are not about the same units.
    """
    ids = list(mine[0])
    if any(units.keys() != mine[0].keys() for units in (*mine, *other)):
        raise DiscoError(f"{where} were not scored on the same instances; score both again (--forcerun score).")
    seeds = lcm(len(mine), len(other))
    first, second = (
        np.array([sum(units[name] for units in side) for name in ids]) * (seeds // len(side)) for side in (mine, other)
    )
    return first, second


def ranked(table: int, comparisons: Comparisons) -> list[Pair]:
    """Every pair of rows of a table of rankings, told apart or not."""
    return [
        {"table": table, "task": pair["task"], "metric": f"{pair['type']}/{pair['reading']}", "n": pair["n"]}
        | dict(zip(("first", "second"), pair["rows"], strict=True))
        | dict(zip(("first_better", "second_better"), pair["better"], strict=True))
        | {"p": pair["p"], "p_holm": pair["holm"]}
        for pair in comparisons["pairs"]
    ]


def write_pairs(path: Path, pairs: Iterable[Pair], columns: Sequence[str] = COLUMNS) -> None:
    """As CSV; floats with six decimals."""
    with whole(path) as temporary, open_text(temporary, "w") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        rows = ({k: f"{v:.6f}" if isinstance(v, float) else v for k, v in pair.items()} for pair in pairs)
        writer.writerows(rows)


def read_pairs(path: Path) -> list[Pair]:
    """Pairs of COLUMNS as ``write_pairs`` left them."""
    return [row | {name: float(row[name]) for name in ("difference", "p", "p_holm")} for row in read_csv(path)]
