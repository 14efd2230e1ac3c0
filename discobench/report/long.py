"""Tables in long format: one line per row, task and metric, with the paper's value beside ours."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from discobench.errors import DiscoError
from discobench.files import open_text, read_json, whole
from discobench.report.layout import READINGS, Column, Layout, kind
from discobench.report.paper import Key, read_csv

COLUMNS = (
    "table",
    "row",
    "group",
    "task",
    "metric",
    "value",
    "n",
    "seeds",
    "ci_low",
    "ci_high",
    "paper",
    "delta",
    "verdict",
    "signature",
    "source",
    "decoding",
)
Line = dict[str, Any]
UNPRINTED = "not comparable (the paper prints no value)"
SCALED = "other scale"
"""The verdict on two values where nothing of the run is comparable."""


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of one cell; ``value`` None with a reason where it was not run."""

    row: str
    seed: int
    task: str
    metric: str
    value: float | None
    n: int | None
    ci95: tuple[float, float] | None
    signature: str
    source: str
    reason: str = ""
    decoding: str = ""
    """How its answers came about, which rows of a column need not share."""


@dataclass(frozen=True, slots=True)
class Judge:
    """How a value is held against the paper's, if comparable at all; metrics are named as ``layout.kind`` does."""

    comparable: bool
    tolerance: Mapping[str, float]
    """By metric, on its scale; ``default`` is for the others."""
    apart: Mapping[str, str] = field(default_factory=dict)
    """Metrics that are not comparable, and why."""

    def verdict(self, value: float | None, paper: float | None, metric: str, reason: str = "") -> str:
        """match, off by how much, not run (why), not comparable (why) or other scale."""
        if value is None:
            return f"not run ({reason})" if reason else "not run"
        if paper is None:
            return UNPRINTED
        if not self.comparable:
            return SCALED
        if kind(metric) in self.apart:
            return f"not comparable ({self.apart[kind(metric)]})"
        near = self.tolerance.get(kind(metric), self.tolerance["default"])
        matches = abs(value - paper) <= near + 1e-9
        return "match" if matches else f"off by {value - paper:+.2f}"


def read_scores(path: Path) -> list[Score]:
    """The metrics of a file of the stages score (with or without a model) or diagnose."""
    content = read_json(path)
    task = content["task"]
    if "readings" in content:
        return [
            _score(content, task, f"{name}/{reading}", entry | {"value": entry["accuracy"]}, path)
            for reading in READINGS
            for name, entry in content["readings"].get(reading, {}).items()
        ]
    if "cells" in content:
        return [_score(cell, task, content["metric"], cell, path) for cell in content["cells"]]
    return [_score(content, task, metric, entry, path) for metric, entry in content["metrics"].items()]


def _score(cell: Mapping[str, Any], task: str, metric: str, entry: Mapping[str, Any], path: Path) -> Score:
    interval = entry.get("ci95")
    return Score(
        row=cell["row"],
        seed=cell["seed"],
        task=task,
        metric=metric,
        value=entry.get("value"),
        n=entry.get("n"),
        ci95=(interval[0], interval[1]) if interval else None,
        signature=entry.get("signature", ""),
        source=str(path),
        reason=entry.get("not_run", ""),
        decoding=entry.get("decoding", ""),
    )


def long_table(
    layout: Layout,
    table: int,
    rows: Mapping[str, Mapping[str, Any]],
    scores: Iterable[Score],
    paper: Mapping[Key, float],
    judge: Judge,
) -> list[Line]:
    """The lines of a table. ``rows`` gives the group of each row, in order, and its ``tasks``.

    A line stands for each metric of a task that a row runs or that the paper prints. Values are
    means over seeds; bounds are means of the seeds' bounds. Raises DiscoError where a column mixes signatures.
    """
    found: dict[Key, list[Score]] = {}
    for score in scores:
        found.setdefault((score.row, score.task, score.metric), []).append(score)
    for column in layout.columns(table):
        _one_signature(
            table, column, [s for key, part in found.items() if key[1:] == (column.task, column.metric) for s in part]
        )
    return [
        _line(table, key, entry["group"], column, found.get(key, []), paper.get(key), judge)
        for row, entry in rows.items()
        for column in layout.columns(table)
        for key in [(row, column.task, column.metric)]
        if layout.fits(entry["group"], column.metric)
        and (key in found or key in paper or column.task in entry["tasks"])
    ]


def _one_signature(table: int, column: Column, scores: Sequence[Score]) -> None:
    rows: dict[str, list[str]] = {}
    for score in scores:
        if score.value is not None:
            rows.setdefault(score.signature, []).append(score.row)
    if len(rows) > 1:
        named = " and ".join(f"{signature!r} ({', '.join(sorted(set(of)))})" for signature, of in sorted(rows.items()))
        raise DiscoError(
            f"Table {table}, {column.task} {column.metric}: scores of different signatures cannot share a column, "
            f"found {named}; score all rows again with one version (--forcerun score score_model)."
        )


def _line(
    table: int,
    key: Key,
    group: str,
    column: Column,
    scores: Sequence[Score],
    paper: float | None,
    judge: Judge,
) -> Line:
    run = [score for score in sorted(scores, key=lambda s: s.seed) if score.value is not None]
    bounds = [score.ci95 for score in run if score.ci95]
    value = fmean(score.value or 0.0 for score in run) if run else None
    reason = next((score.reason for score in scores), "")
    return {
        "table": table,
        "row": key[0],
        "group": group,
        "task": key[1],
        "metric": key[2],
        "value": value,
        "n": run[0].n if run else None,
        "seeds": ";".join(f"{score.seed}={score.value:.4f}" for score in run),
        "ci_low": fmean(low for low, _ in bounds) if bounds else None,
        "ci_high": fmean(high for _, high in bounds) if bounds else None,
        "paper": paper,
        "delta": None if value is None or paper is None else value - paper,
        "verdict": judge.verdict(value, paper, column.metric, reason),
        "signature": "; ".join(sorted({score.signature for score in run})),
        "source": ";".join(sorted({score.source for score in scores})),
        "decoding": "; ".join(sorted({score.decoding for score in run} - {""})),
    }


def contract(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How many cells of each table have which verdict, reasons and amounts aside; and the verdicts in order."""
    tables: dict[str, Counter[str]] = {}
    for line in lines:
        verdict = "off" if line["verdict"].startswith("off by") else line["verdict"].partition(" (")[0]
        tables.setdefault(str(line["table"]), Counter())[verdict] += 1
    tables = {table: tables[table] for table in sorted(tables, key=int)}
    return {"tables": tables, "verdicts": sorted({verdict for counts in tables.values() for verdict in counts})}


def write_long(path: Path, lines: Sequence[Line]) -> None:
    """Write lines as CSV; floats with four decimals, nothing for None."""
    with whole(path) as temporary, open_text(temporary, "w") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _text(line[name]) for name in COLUMNS} for line in lines)


def _text(value: Any) -> Any:
    return f"{value:.4f}" if isinstance(value, float) else value


def read_long(path: Path) -> list[Line]:
    """Lines as ``write_long`` left them."""
    numbers = ("value", "ci_low", "ci_high", "paper", "delta")
    return [line | {name: float(line[name]) if line[name] else None for name in numbers} for line in read_csv(path)]
