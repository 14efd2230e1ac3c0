"""Figure 2: the best score of each group of models on the benchmark (a) and the diagnostic suite (b)."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import escape

from discobench.files import open_text, read_text, whole
from discobench.report.layout import GROUPS, Layout
from discobench.report.long import Line
from discobench.report.view import Block, Cell, Section, View

TITLES = {"a": "Benchmark", "b": "Diagnostic suite"}
SHOWN = "the best score of each group of models in each column"
LEGEND = f"Each cell: {SHOWN}, here / in the paper; – is nothing."
COLUMNS = ("group", "column", "value", "paper")
METADATA = {
    "svg": dict.fromkeys(("Creator", "Date", "Format", "Type")),
    "png": {"Software": None},
}
IDS = re.compile(r"""(?<= id=")|(?<=href="#)|(?<=url\(#)""")
"""Where an id begins that a drawing gives or names."""
Bar = dict[str, Any]


def bars(layout: Layout, lines: Sequence[Line]) -> list[Bar]:
    """For each group and column that has any, its best value here and in the paper, as the caption says."""
    held = [line for line in lines if not line["metric"].endswith("/mean")]
    columns = list(dict.fromkeys((line["task"], line["metric"]) for line in held))
    return [
        {"group": group, "column": label(task, metric), "value": found[0], "paper": found[1]}
        for group in GROUPS
        for task, metric in columns
        for found in [[_best(layout, held, (group, task, metric), name) for name in ("value", "paper")]]
        if found != [None, None]
    ]


def inlined(path: Path, name: str, label: str) -> str:
    """A drawing without its XML head, and what is said of it to those who hear it.

    Its ids begin with ``name``, as those of a page's drawings must differ.
    """
    svg = read_text(path)
    named = IDS.sub(rf"\g<0>{name}-", svg[svg.index("<svg") + len("<svg") :])
    return f'<svg role="img" aria-label="{escape(label)}"{named}'


def inlined_part(path: Path, part: str) -> str:
    """``inlined`` for a part of Figure 2."""
    label = f"Figure 2{part}. {TITLES[part]}: {SHOWN}, as bars; rings are the paper's. Its numbers: figure2{part}.html"
    return inlined(path, f"figure2{part}", label)


def figure_view(part: str, found: Sequence[Bar], drawing: str, table: int, notice: str) -> View:
    """The figures of a drawing as a table of groups; ``table`` is the one whose values they are."""
    columns = list(dict.fromkeys(bar["column"] for bar in found))
    cells = {(bar["group"], bar["column"]): Cell(_shown(bar["value"]), paper=_shown(bar["paper"])) for bar in found}
    groups = [group for group in GROUPS if any(bar["group"] == group for bar in found)]
    rows = [(GROUPS[group], [cells.get((group, column), Cell()) for column in columns]) for group in groups]
    said = f"The values are those of Table {table}, where each leads to its data."
    sections = [Section("Best scores", rows)] if rows else []
    block = Block("", [("", name) for name in columns], sections, "Group", (said,))
    return View(f"Figure 2{part}", TITLES[part], notice, [block], [], [], [], [], LEGEND, drawing)


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def label(task: str, metric: str) -> str:
    """A column's name: the task, and the device of a ranking."""
    device, slash, _ = metric.partition("/")
    return f"{task.upper()} {device}" if slash else task.upper()


def _best(layout: Layout, lines: Sequence[Line], key: tuple[str, str, str], name: str) -> float | None:
    values = [
        float(line[name])
        for line in lines
        if (line["group"], line["task"], line["metric"]) == key and line[name] is not None
    ]
    if not values:
        return None
    return min(values) if layout.look(key[2]).better == "lower" else max(values)


def write_bars(path: Path, found: Sequence[Bar]) -> None:
    """As CSV with four decimals, nothing where there is no value."""
    with whole(path) as temporary, open_text(temporary, "w") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({k: f"{v:.4f}" if isinstance(v, float) else v for k, v in bar.items()} for bar in found)


def plot(found: Sequence[Bar], title: str, notice: str, path: Path, kind: str) -> None:
    """Bars of ours and rings of the paper's by column, as ``svg`` or ``png``; the same figures give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    columns = list(dict.fromkeys(bar["column"] for bar in found))
    groups = [group for group in GROUPS if any(bar["group"] == group for bar in found)]
    with mpl.rc_context({"svg.hashsalt": "figure2", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(max(7.0, 0.55 * len(columns) + 2), 4), layout="constrained", dpi=150)
        axes = figure.subplots()
        for n, group in enumerate(groups):
            _draw(axes, [bar for bar in found if bar["group"] == group], columns, n, len(groups), GROUPS[group])
        axes.set_xticks(range(len(columns)), columns, rotation=60 if len(columns) > 9 else 0)
        axes.set(ylim=(0, 105), ylabel="best score", title=title)
        axes.plot([], [], "o", color="black", fillstyle="none", label="the paper's")
        figure.legend(loc="outside upper center", fontsize=7, ncols=3)
        figure.supxlabel(notice, fontsize=6, wrap=True)
        figure.savefig(path, format=kind, metadata=METADATA[kind])


def _draw(axes: Any, found: Sequence[Bar], columns: Sequence[str], n: int, groups: int, name: str) -> None:
    width = 0.8 / groups
    places = [columns.index(bar["column"]) + (n - (groups - 1) / 2) * width for bar in found]
    axes.bar(
        places, [bar["value"] or 0 for bar in found], width, color=f"C{list(GROUPS.values()).index(name)}", label=name
    )
    printed = [(place, bar["paper"]) for place, bar in zip(places, found, strict=True) if bar["paper"] is not None]
    axes.plot([x for x, _ in printed], [y for _, y in printed], "o", color="black", fillstyle="none", markersize=4)
