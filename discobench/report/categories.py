"""Scores by category: domains, styles, pronouns, as the score of each cell lists them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from discobench.files import read_json
from discobench.report.layout import Layout
from discobench.tasks import task

Summaries = Sequence[Mapping[str, Any]]
"""A metric's value, n and ci95 in one category, seed by seed."""


@dataclass(frozen=True, slots=True)
class Share:
    """A metric in one category: the mean over seeds, the mean bounds in words, and n where seeds share it."""

    value: float
    interval: str
    n: int | None


@dataclass(frozen=True, slots=True)
class Parted:
    """A kind of category: labels of metrics, ``columns`` (category, n) and ``rows`` (row, label, metric, shares).

    n is None where models do not share it.
    """

    metrics: list[str]
    columns: list[tuple[str, int | None]]
    rows: list[tuple[str, str, str, list[Share | None]]]


def categories(root: Path, layout: Layout) -> list[tuple[str, str, Parted]]:
    """Task, kind of category and scores of each cell of a run, seed by seed."""
    cells: dict[str, list[Mapping[str, Any]]] = {}
    scored = map(read_json, sorted(root.glob("score/*/*/seed-*/scores.json")))
    for found in (cell for cell in scored if cell.get("categories")):
        cells.setdefault(found["task"], []).append(found | {"row": f"{found['row']}, seed {found['seed']}"})
    return [
        (name, kind, part)
        for name, members in cells.items()
        for kind, part in parted(labelled(layout, task(name).metrics), members, {}).items()
    ]


def labelled(layout: Layout, metrics: Iterable[str]) -> dict[str, str]:
    """Metric -> what it is called in print, if it is."""
    return {name: layout.metrics[name].label if name in layout.metrics else name for name in metrics}


def parted(metrics: Mapping[str, str], cells: Summaries, labels: Mapping[str, str]) -> dict[str, Parted]:
    """Kind of category -> its scores.

    ``cells`` are the scores of one task, ``metrics`` (name -> label) those that are shown if there are any.
    """
    kinds = dict.fromkeys(kind for cell in cells for kind in cell.get("categories", {}))
    return {kind: found for kind in kinds if (found := _kind(kind, metrics, cells, labels)).rows}


def _kind(kind: str, metrics: Mapping[str, str], cells: Summaries, labels: Mapping[str, str]) -> Parted:
    by_row: dict[str, list[Mapping[str, Any]]] = {}
    for cell in cells:
        by_row.setdefault(cell["row"], []).append(cell.get("categories", {}).get(kind, {}))
    names = sorted({name for found in by_row.values() for categories in found for name in categories})
    rows = [
        (row, labels.get(row, row), label, shares)
        for row, found in by_row.items()
        for metric, label in metrics.items()
        if any(shares := [_share(_summaries(name, metric, found)) for name in names])
    ]
    columns = [(name, _shared(shares[place] for *_, shares in rows)) for place, name in enumerate(names)]
    return Parted(list(dict.fromkeys(label for _, _, label, _ in rows)), columns, rows)


def _summaries(name: str, metric: str, found: Summaries) -> list[Mapping[str, Any]]:
    summaries = [categories.get(name, {}).get(metric, {}) for categories in found]
    return [summary for summary in summaries if "value" in summary]


def _share(summaries: Summaries) -> Share | None:
    if not summaries:
        return None
    sizes, bounds = {summary["n"] for summary in summaries}, [s["ci95"] for s in summaries if s.get("ci95")]
    means = [f"{fmean(side):.1f}" for side in zip(*bounds, strict=True)]
    return Share(fmean(s["value"] for s in summaries), "–".join(means), sizes.pop() if len(sizes) == 1 else None)


def _shared(shares: Iterable[Share | None]) -> int | None:
    sizes = {share.n for share in shares if share}
    return sizes.pop() if len(sizes) == 1 else None
