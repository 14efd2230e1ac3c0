"""Wide views of a long table: what stands in which cell, before any markup."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Any

from discobench.config.references import FACTS
from discobench.report.anchors import anchor_of
from discobench.report.counts import counted_in
from discobench.report.layout import GROUPS, OVERALL, READINGS, Column, Layout, Look
from discobench.report.long import Line
from discobench.report.paper import Key
from discobench.report.rankings import LEVEL, NONE, Comparisons, like_the_best, notes

LEGEND = (
    "Each cell: our value (range over seeds; from three on ± standard deviation) [95 % interval over instances] / the "
    "paper's value. "
    "Best of a column in bold; ≈ cannot be told apart from the best model."
)
DESCRIBED = "Each cell: what this run has / what the paper prints; – is nothing."
REASON = "not run ("
APART = "not comparable ("
ARROWS = {"higher": "↑", "lower": "↓"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value as it is printed, the spread over seeds, and the paper's value; empty where there is none."""

    value: str = ""
    spread: str = ""
    paper: str = ""
    best: bool = False
    verdict: str = ""
    source: str = ""
    anchor: str = ""
    like: bool = False
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """The rows of a group, each with its label and its cells."""

    title: str
    rows: list[tuple[str, list[Cell]]]


@dataclass(frozen=True, slots=True)
class Block:
    """A wide table: headings of columns (task or nothing, metric), sections of rows, and what a row is."""

    title: str
    headings: list[tuple[str, str]]
    sections: list[Section]
    row: str = "Model"
    notes: tuple[str, ...] = ()

    @property
    def wordy(self) -> list[bool]:
        """Whether a column holds words; others hold numbers."""
        columns = zip(*(cells for section in self.sections for _, cells in section.rows), strict=True)
        return [any(cell.value[:1].isalpha() and not cell.value.startswith("not run") for cell in c) for c in columns]


@dataclass(frozen=True, slots=True)
class View:
    """A table or figure of the paper (``Table 7``): its blocks, the rows and columns without any value here, and notes.

    ``drawing`` is a figure's, as SVG.
    """

    name: str
    title: str
    banner: str
    blocks: list[Block]
    absent: list[tuple[str, str]]
    signatures: list[tuple[str, str]]
    reasons: list[tuple[str, str]]
    pairs: list[tuple[str, str]]
    legend: str = LEGEND
    drawing: str = ""

    @property
    def slug(self) -> str:
        """What its files are called."""
        return self.name.lower().replace(" ", "")


def banner(comparable: bool, preset: str, tolerance: Mapping[str, float]) -> str:
    """What every page says on top about how its numbers relate to the paper's."""
    if comparable:
        own = ", ".join(f"{name} {size:g}" for name, size in tolerance.items() if name not in ("default", FACTS))
        others = f" ({own})" if own else ""
        near = f"{tolerance['default']:g} of the paper's value{others}"
        near += f"; sizes and settings within {100 * tolerance[FACTS]:g} % of theirs" if FACTS in tolerance else ""
        return f'Preset {preset}. Verdict "match": within {near}.'
    return (
        f"OTHER SCALE. Preset {preset} uses data and models of another size than the paper's: its numbers show "
        "that every step runs, and say nothing about the paper's results. No value is held against the paper's: "
        'where both exist the verdict is "other scale".'
    )


def view(
    layout: Layout,
    table: int,
    lines: Sequence[Line],
    labels: Mapping[str, str],
    notice: str,
    pairs: Sequence[Mapping[str, Any]] = (),
    comparisons: Comparisons = NONE,
) -> View:
    """The wide view of a table; ``labels`` gives the printed name of each row, in order.

    ``pairs`` are the rows compared by their scores, ``comparisons`` those of rankings.
    """
    like = _tied(pairs) | like_the_best(lines, comparisons)
    run = [line for line in lines if line["value"] is not None or line["verdict"].startswith(REASON)]
    rows, columns = {line["row"] for line in run}, {_key(line) for line in run}
    shown = [line for line in lines if line["row"] in rows and _key(line) in columns]
    return View(
        name=f"Table {table}",
        title=layout.title(table),
        banner=notice,
        blocks=[
            block(layout, title, part, about, labels, like, said or notes(part, shown, comparisons, labels))
            for title, part in _parts(layout, table)
            for about in [_about(shown, part)]
            for said in [counted_in(layout, about) if table in layout.scores else ()]
        ],
        absent=_absent(layout, lines, rows, columns, labels),
        signatures=_notes(layout, shown, "signature", columns)
        + [(f"Answers to {names}", text) for names, text in _notes(layout, shown, "decoding", columns)],
        reasons=_notes(layout, [line for line in shown if _excused(line)], "verdict", columns),
        pairs=[_compared(layout, pair, labels) for pair in pairs],
    )


def _excused(line: Line) -> bool:
    """Whether a cell says why it has no value, or why its value is not held against the one that the paper prints."""
    return line["verdict"].startswith(REASON) or (line["paper"] is not None and line["verdict"].startswith(APART))


def _tied(pairs: Sequence[Mapping[str, Any]]) -> frozenset[Key]:
    return frozenset(
        (pair["second"], pair["task"], pair["metric"])
        for pair in pairs
        if pair["with"] == "best" and pair["p_holm"] >= LEVEL
    )


def _compared(layout: Layout, pair: Mapping[str, Any], labels: Mapping[str, str]) -> tuple[str, str]:
    """A sentence on a pair, headed by its column."""
    p = "p < 0.001" if pair["p_holm"] < 0.001 else f"p = {pair['p_holm']:.3f}"
    names = f"{labels[pair['first']]} ({pair['first']}) against {labels[pair['second']]} ({pair['second']})"
    return _name(layout, dict(pair)), f"{names}: {pair['difference']:+.2f}, {p}"


def _absent(
    layout: Layout, lines: Sequence[Line], rows: set[str], columns: set[tuple[str, str]], labels: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Rows, by group, and columns in which nothing was run."""
    gone = {line["row"]: line["group"] for line in lines if line["row"] not in rows}
    blank = dict.fromkeys(_name(layout, line) for line in lines if _key(line) not in columns)
    named = [
        (heading, ", ".join(labels[row] for row, group in gone.items() if group == name))
        for name, heading in GROUPS.items()
    ]
    return [(heading, names) for heading, names in [*named, ("Columns", ", ".join(blank))] if names]


def _parts(layout: Layout, table: int) -> list[tuple[str, list[Column]]]:
    """A ranking has a block per task and reading, other tables are one block."""
    if table in layout.scores:
        return [("", layout.columns(table))]
    ranking = layout.rankings[table]
    names = [*ranking.types, OVERALL]
    return [
        (f"{part.name}, {how}", [Column(task=task, metric=f"{name}/{reading}") for name in names])
        for task, part in ranking.blocks.items()
        for reading, how in READINGS.items()
        if reading in part.readings
    ]


def _key(line: Line) -> tuple[str, str]:
    return line["task"], line["metric"]


def _name(layout: Layout, line: Line) -> str:
    reading = READINGS.get(line["metric"].partition("/")[2], "")
    return f"{line['task'].upper()} {_heading(layout, line['metric'])} {reading}".strip()


def _about(lines: Sequence[Line], columns: Sequence[Column]) -> list[Line]:
    keys = {(column.task, column.metric) for column in columns}
    return [line for line in lines if _key(line) in keys]


def block(
    layout: Layout,
    title: str,
    columns: Sequence[Column],
    lines: Sequence[Line],
    labels: Mapping[str, str],
    like: Collection[Key] = (),
    said: tuple[str, ...] = (),
) -> Block:
    """Lines as a wide table, groups in the paper's order, without columns in which nothing stands."""
    used = {_key(line) for line in lines}
    keys = [(column.task, column.metric) for column in columns if (column.task, column.metric) in used]
    found = {(line["row"], line["task"], line["metric"]): line for line in lines}
    best = {key: _best([line for line in lines if _key(line) == key], layout) for key in keys}
    sections = [
        Section(
            heading,
            [
                (
                    label,
                    [
                        _cell(found.get((row, *key)), best[key], layout.look(key[1]), (row, *key) in like)
                        for key in keys
                    ],
                )
                for row, label in labels.items()
                if any(line["row"] == row and line["group"] == group for line in lines)
            ],
        )
        for group, heading in GROUPS.items()
    ]
    headings = [("" if title else task.upper(), _heading(layout, metric)) for task, metric in keys]
    return Block(title, headings, [section for section in sections if section.rows], notes=said)


def _heading(layout: Layout, metric: str) -> str:
    """A column's heading; what a ranking reads stands above its block."""
    look = layout.look(metric)
    label = metric.split("/")[0].capitalize() if "/" in metric else look.label
    return f"{label} {ARROWS[look.better]}"


def _best(lines: Sequence[Line], layout: Layout) -> float | None:
    values = [line["value"] for line in lines if line["value"] is not None]
    if not values:
        return None
    return float(min(values) if layout.look(lines[0]["metric"]).better == "lower" else max(values))


def _cell(line: Mapping[str, Any] | None, best: float | None, look: Look, like: bool) -> Cell:
    if line is None:
        return Cell()
    value, paper = line["value"], line["paper"]
    return Cell(
        value="not run" if value is None else f"{value:.{look.decimals}f}",
        spread=spread(line["seeds"], look),
        paper="" if paper is None else f"{paper:.{look.decimals}f}",
        best=value is not None and value == best,
        verdict=line["verdict"],
        source=line["source"],
        anchor=anchor_of(line),
        like=like,
        interval=_interval(line, look),
    )


def _interval(line: Mapping[str, Any], look: Look) -> str:
    low, high = line["ci_low"], line["ci_high"]
    return "" if low is None else f"{low:.{look.decimals}f}–{high:.{look.decimals}f}"


def spread(seeds: str, look: Look) -> str:
    """Of the values of ``seeds`` (``1=50.0;2=51.2``): with two their range, with more also the standard deviation.

    No interval is drawn: one of two runs would rest on a single degree of freedom.
    """
    values = [float(part.split("=")[1]) for part in seeds.split(";") if part]
    if len(values) < 2:
        return ""
    span = f"{min(values):.{look.decimals}f}–{max(values):.{look.decimals}f}"
    return span if len(values) < 3 else f"± {stdev(values):.{look.decimals}f}, {span}"


def _notes(
    layout: Layout, lines: Sequence[Line], field: str, columns: Collection[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Different texts of a field, each with those of ``columns`` that it is about; none is named where all share it."""
    notes: dict[str, list[str]] = {}
    for line in lines:
        name = _name(layout, line)
        if line[field] and name not in notes.setdefault(line[field], []):
            notes[line[field]].append(name)
    shared = len(notes) == 1 and {_key(line) for line in lines if line[field]} == set(columns) and len(columns) > 1
    return [("All columns" if shared else ", ".join(names), text) for text, names in notes.items()]
