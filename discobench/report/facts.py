"""Tables 2, 5, 6, 15 and 16: what the run has, beside what the paper prints, line by line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discobench.report.anchors import anchor_of
from discobench.report.long import SCALED, UNPRINTED, Line
from discobench.report.view import DESCRIBED, Block, Cell, Section, View

TITLES = {
    2: "Agreement of annotators",
    5: "Statistics of the corpus",
    6: "Models",
    15: "Hyper-parameters of pretraining",
    16: "Hyper-parameters of fine-tuning",
}
TASKS = "Tasks"
"""The group whose rows are tasks."""
ROWS = "Rows with settings of their own"
"""The group whose rows are a task and a row of the run."""
NAMED = {2: "Task", 5: "Genre", 16: "Task"}
"""What the rows of a table are, where they are no models."""
LABELS = {
    "fluency_alpha": "Fluency, alpha",
    "adequacy_alpha": "Adequacy, alpha",
    "characters_or_words": "Characters (zh) or words (en)",
}
SHORT = {"K": 1e3, "M": 1e6, "G": 1e9}
NUMBER = re.compile(r"(\d+(?:\.\d+)?(?:e-?\d+)?)([KMG]?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fact:
    """One cell: a row of a group, a column, and its value here and in the paper (empty where there is none)."""

    group: str
    row: str
    column: str
    value: str
    paper: str
    source: str = ""

    @property
    def task(self) -> str:
        """The task that the row is about, if any."""
        return self.row.partition(",")[0].lower() if self.group in (TASKS, ROWS) else ""

    def verdict(self, comparable: bool, near: float = 0.0) -> str:
        """match, off, not run, not comparable (why) or other scale, as ``Judge`` has it for scores.

        A number matches that the paper would print so, or that differs by ``near`` of the paper's at most besides.
        """
        if not self.value:
            return "not run"
        if not self.paper:
            return UNPRINTED
        if not comparable:
            return SCALED
        found = beside(self.value, self.paper)
        if found is None:
            return "match" if self.value == self.paper else "not comparable (not two numbers of one unit)"
        ours, theirs, half = found
        return "match" if abs(ours - theirs) <= half + near * abs(theirs) + 1e-12 else f"off by {ours - theirs:+.12g}"


def beside(value: str, paper: str) -> tuple[float, float, float] | None:
    """Our number, the paper's and half of its last digit; None where either prints another thing or unit.

    Table 15 prints two of a base and a large model (12/24): the nearer one counts. Table 16 names units (30K step).
    """
    (number, _, unit), (printed, _, other) = value.partition(" "), paper.partition(" ")
    ours, theirs = amount(number), [found for part in printed.split("/") if (found := amount(part))]
    if ours is None or len(theirs) < len(printed.split("/")) or unit != other:
        return None
    return ours[0], *min(theirs, key=lambda found: abs(found[0] - ours[0]))


def amount(text: str) -> tuple[float, float] | None:
    """The number that a text prints, with K, M or G, and half of its last digit; None where it prints another thing."""
    found = NUMBER.fullmatch(text.replace(",", ""))
    if found is None:
        return None
    unit = SHORT.get(found[2].upper(), 1.0)
    digits = len(found[1].partition("e")[0].partition(".")[2])
    half = 0.5 * 10**-digits if found[2] or digits else 0.0
    return float(found[1]) * unit, half * unit


def fact_lines(table: int, facts: Iterable[Fact], comparable: bool, near: float = 0.0) -> list[Line]:
    """The facts as lines of the long format; ``value`` and ``paper`` are texts, ``task`` is the row where it is one."""
    empty = dict.fromkeys(("n", "seeds", "ci_low", "ci_high", "delta", "signature", "decoding"), "")
    return [
        empty
        | {"table": table, "row": f.row, "group": f.group, "metric": f.column, "value": f.value, "paper": f.paper}
        | {"task": f.task, "verdict": f.verdict(comparable, near), "source": f.source}
        for f in facts
    ]


def heading(column: str) -> str:
    """What stands above a column; the CSV has its key."""
    return LABELS.get(column) or column[:1].upper() + column[1:].replace("_", " ")


def fact_view(table: int, lines: Sequence[Mapping[str, Any]], notice: str) -> View:
    """A table with a column for each name of a fact."""
    columns = list(dict.fromkeys(line["metric"] for line in lines))
    found = {(line["group"], line["row"], line["metric"]): line for line in lines}
    sections = [
        Section(group, [(row, [_cell(found.get((group, row, c))) for c in columns]) for row in _rows(lines, group)])
        for group in dict.fromkeys(line["group"] for line in lines)
    ]
    block = Block("", [("", heading(column)) for column in columns], sections, NAMED.get(table, "Model"))
    return View(f"Table {table}", TITLES[table], notice, [block], [], [], [], [], DESCRIBED)


def _rows(lines: Sequence[Mapping[str, Any]], group: str) -> list[str]:
    return list(dict.fromkeys(line["row"] for line in lines if line["group"] == group))


def _cell(line: Mapping[str, Any] | None) -> Cell:
    if line is None:
        return Cell()
    return Cell(
        value=line["value"], paper=line["paper"], verdict=line["verdict"], source=line["source"], anchor=anchor_of(line)
    )
