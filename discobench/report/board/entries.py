"""What stands in the leaderboard's tables: scores to sort and filter, verdicts, a heat map of the diagnostics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discobench.report.anchors import anchor_of
from discobench.report.facts import amount, beside, heading
from discobench.report.layout import GROUPS, READINGS, Layout, Look
from discobench.report.long import Line
from discobench.report.outcomes import Answered
from discobench.report.paper import Key
from discobench.report.sizes import LENGTHS
from discobench.report.view import ARROWS, spread

SUBMISSION = "submission"
HEADINGS: Mapping[str, str] = GROUPS | {SUBMISSION: "Submissions"}
SHADES = 10
"""Classes of colour of the heat map, from 0 to 100 in equal steps."""
PLAIN = Look(label="", better="higher", decimals=0)
"""How numbers are shown that are no metric: the sizes of Table 1."""

NOTHING_ODD: Answered = {}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table as it is shown; ``value`` is what it is sorted by, None where it may not be ranked."""

    table: str
    row: str
    label: str
    group: str
    task: str
    metric: str
    value: float | None
    shown: str
    low: float | None
    interval: str
    n: str
    seeds: int
    spread: str
    """Of the seeds' values; empty for one."""
    answers: str
    """How many answers are not ok, by kind, over all seeds."""
    paper: str
    printed: float | None
    """What ``paper`` is sorted by."""
    delta: str
    gap: float | None
    """What ``delta`` is sorted by."""
    kind: str
    """The verdict without its reason."""
    reason: str
    best: bool
    signature: str
    sources: tuple[str, ...]
    way: str
    """Where it is followed to its data, as seen from the leaderboard; empty where nothing was found."""


def entries(
    lines: Iterable[Line], layout: Layout, labels: Mapping[str, str], folder: str, answers: Answered = NOTHING_ODD
) -> list[Entry]:
    """Lines as entries, in order; ``folder`` is what the paths of sources begin with, which is left out."""
    kept = list(lines)
    best = {key: _best([line for line in kept if _column(line) == key], layout) for key in set(map(_column, kept))}
    return [_entry(line, _look(layout, line["metric"]), labels, best[_column(line)], folder, answers) for line in kept]


def scored(lines: Iterable[Line]) -> list[Line]:
    """Lines with a value, a metric of a task once though several tables print it."""
    found: dict[tuple[str, str, str], Line] = {}
    for line in lines:
        if line["value"] is not None:
            found.setdefault((line["row"], line["task"], line["metric"]), line)
    return list(found.values())


def _entry(
    line: Line, look: Look, labels: Mapping[str, str], best: float | None, folder: str, answers: Answered
) -> Entry:
    apart = line.get("apart", "")
    kind, reason = ("not comparable", apart) if apart else _verdict(line["verdict"])
    return Entry(
        table=str(line["table"]),
        row=line["row"],
        label=labels.get(line["row"], line["row"].upper() if line["row"] == line["task"] else line["row"]),
        group=HEADINGS.get(line["group"], line["group"]),
        task=line["task"],
        metric=_heading(line["metric"], look),
        value=None if apart else line["value"],
        shown=_number(line["value"], look),
        low=None if apart else line["ci_low"],
        interval=_interval(line, look),
        n=str(line["n"] or ""),
        seeds=len([part for part in (line["seeds"] or "").split(";") if part]),
        spread=spread(line["seeds"] or "", look),
        answers=answers.get((line["row"], line["task"]), ""),
        paper=_number(line["paper"], look),
        printed=line["paper"],
        delta="" if line["delta"] is None else f"{line['delta']:+,.{look.decimals}f}",
        gap=line["delta"],
        kind=kind,
        reason=reason,
        best=not apart and line["value"] is not None and line["value"] == best,
        signature=line["signature"],
        way=way(line),
        sources=_sources(line["source"], folder),
    )


def described(lines: Iterable[Mapping[str, Any]], folder: str) -> list[Entry]:
    """The cells of descriptive tables, whose values are texts; a row is named with its group."""
    return [_described(line, folder) for line in lines]


def _described(line: Mapping[str, Any], folder: str) -> Entry:
    ours, paper = (amount(line[name]) for name in ("value", "paper"))
    both = beside(line["value"], line["paper"])
    kind, reason = _verdict(line["verdict"])
    return Entry(
        table=str(line["table"]),
        row=line["row"],
        label=f"{line['group']}, {line['row']}",
        group=line["group"],
        task=line["task"],
        metric=heading(line["metric"]),
        value=ours[0] if ours else None,
        shown=line["value"],
        low=None,
        interval="",
        n="",
        seeds=0,
        spread="",
        answers="",
        paper=line["paper"],
        printed=paper[0] if paper else None,
        delta=f"{both[0] - both[1]:+.12g}" if both else "",
        gap=both[0] - both[1] if both else None,
        kind=kind,
        reason=reason,
        best=False,
        signature="",
        sources=_sources(line["source"], folder),
        way=way(line),
    )


def way(line: Mapping[str, Any]) -> str:
    """Where a value is followed: to the page of cells, or for a submission, which the run did not make, to its line."""
    if line["group"] == SUBMISSION:
        return "" if line["value"] is None else f"index.html#{line['row']}"
    found = anchor_of(line)
    return f"../provenance.html#{found}" if found else ""


def _verdict(text: str) -> tuple[str, str]:
    """A verdict without its reason or amount, and these."""
    if text.startswith("off "):
        return "off", text.removeprefix("off ")
    kind, _, reason = text.partition(" (")
    return kind, reason.removesuffix(")")


def _sources(paths: str, folder: str) -> tuple[str, ...]:
    return tuple(path.removeprefix(folder) for path in paths.split(";") if path)


def _number(value: float | None, look: Look) -> str:
    thousands = "," if look.label == "" else ""
    return "" if value is None else f"{value:{thousands}.{look.decimals}f}"


def _interval(line: Line, look: Look) -> str:
    return "" if line["ci_low"] is None else f"{_number(line['ci_low'], look)} to {_number(line['ci_high'], look)}"


def _look(layout: Layout, metric: str) -> Look:
    if "/" in metric or metric in layout.metrics:
        return layout.look(metric)
    return PLAIN.model_copy(update={"decimals": 1}) if metric in LENGTHS else PLAIN


def _heading(metric: str, look: Look) -> str:
    if not look.label:
        return metric
    name, _, reading = metric.partition("/")
    return f"{name}, {READINGS[reading]}" if reading in READINGS else f"{look.label or name} {ARROWS[look.better]}"


def _column(line: Line) -> tuple[str, str]:
    return line["task"], line["metric"]


def _best(lines: Sequence[Line], layout: Layout) -> float | None:
    values = [float(line["value"]) for line in lines if line["value"] is not None and not line.get("apart")]
    lower = _look(layout, lines[0]["metric"]).better == "lower"
    return (min if lower else max)(values) if values else None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Models by tasks: ``columns`` are (task, metric), ``rows`` (label, group, an entry or None for each column)."""

    columns: list[tuple[str, str]]
    rows: list[tuple[str, str, list[Entry | None]]]


def main_metrics(shown: Sequence[Entry]) -> Matrix:
    """The first metric of each task that entries name, for every row with a value that may be ranked."""
    shown = [entry for entry in shown if entry.value is not None]
    first: dict[str, str] = {}
    for entry in shown:
        first.setdefault(entry.task, entry.metric)
    found = {(entry.row, entry.task): entry for entry in shown if first[entry.task] == entry.metric}
    rows = {entry.row: (entry.label, entry.group) for entry in shown}
    return Matrix(
        list(first.items()), [(*names, [found.get((row, task)) for task in first]) for row, names in rows.items()]
    )


@dataclass(frozen=True, slots=True)
class Warmth:
    """A cell of the heat map."""

    value: float | None = None
    shown: str = ""
    interval: str = ""
    n: str = ""
    shade: int = 0
    chance: str = ""
    counts: tuple[str, ...] = ()
    """The spread of seeds; what counted as wrong without being so and what was cut, each with how many it was of."""
    way: str = ""


@dataclass(frozen=True, slots=True)
class Heat:
    """Accuracies of models by type of contrast, of one task in one reading."""

    title: str
    columns: list[str]
    rows: list[tuple[str, list[Warmth]]]


Ranked = Mapping[Key, tuple[str, tuple[str, ...]]]
"""What ``rankings.counted`` gives."""


def heat_maps(lines: Iterable[Line], layout: Layout, labels: Mapping[str, str], ranked: Ranked) -> list[Heat]:
    """A map for each task and reading of which something was run."""
    run = [line for line in lines if line["value"] is not None and "/" in line["metric"]]
    parts = dict.fromkeys((line["task"], line["metric"].partition("/")[2]) for line in run)
    return [_heat(task, reading, run, layout, labels, ranked) for task, reading in parts]


def _heat(
    task: str, reading: str, lines: Sequence[Line], layout: Layout, labels: Mapping[str, str], ranked: Ranked
) -> Heat:
    mine = [line for line in lines if line["task"] == task and line["metric"].endswith(f"/{reading}")]
    types = list(dict.fromkeys(line["metric"].partition("/")[0] for line in mine))
    found = {(line["row"], line["metric"].partition("/")[0]): line for line in mine}
    rows = [
        (labels.get(row, row), [_warmth(found.get((row, name)), layout, ranked) for name in types])
        for row in dict.fromkeys(line["row"] for line in mine)
    ]
    return Heat(f"{task.upper()}, {READINGS[reading]}", [name.capitalize() for name in types], rows)


def _warmth(line: Line | None, layout: Layout, ranked: Ranked) -> Warmth:
    if line is None:
        return Warmth()
    look, value = layout.look(line["metric"]), float(line["value"])
    shade = max(0, min(SHADES - 1, int(value * SHADES / 100)))
    chance, counts = ranked.get((line["row"], line["task"], line["metric"]), ("", ()))
    seeds = (f"seeds {text}",) if (text := spread(line["seeds"] or "", look)) else ()
    shown, interval = _number(value, look), _interval(line, look)
    return Warmth(value, shown, interval, str(line["n"] or ""), shade, chance, (*seeds, *counts), way(line))
