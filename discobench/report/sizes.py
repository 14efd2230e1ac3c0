"""Table 1: the data sets of the run beside the paper's."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from discobench.report.anchors import anchor_of
from discobench.report.layout import Layout
from discobench.report.long import SCALED, UNPRINTED, Line
from discobench.report.view import DESCRIBED, Block, Cell, Section, View
from discobench.tasks.base import Task
from discobench.tasks.measures import TEXTS, Measured, unit

TABLE = 1
HELD_OUT = "valid and test"
COUNTS = {"train": "train", "valid": None, "test": None, HELD_OUT: "test_and_validation", "works": None}
"""What is counted, and the column of table1.csv that prints it: its "Test" is validation and test together."""
LENGTHS = ("length", "length of answers")
WORDS = {"metrics": "Metrics", "domain": "Domain", "language": "Language"}
SCALES = {"K": 1_000, "M": 1_000_000}
Splits = Mapping[str, Measured]
Paper = Mapping[str, Mapping[str, str]]
"""Lines of table1.csv by task."""


def size_lines(
    task: Task, splits: Splits, paper: Mapping[str, str], comparable: bool, source: str, near: float = 0.0
) -> list[Line]:
    """The long lines of a task: records and works, and the mean length of what is read and written.

    ``n`` is the number of records; a length's unit stands in ``signature``. ``near`` is as for ``Fact.verdict``.
    """
    records = {name: split.records for name, split in splits.items()}
    works = set[str]().union(*(split.works for split in splits.values()))
    counts = records | {HELD_OUT: records["valid"] + records["test"], "works": len(works)}
    total = sum(records.values())
    texts = dict(zip(LENGTHS, TEXTS[task.formulation][: 2 if task.formulation == "text" else 1], strict=False))
    means = {name: sum(s.mean(text) * s.records for s in splits.values()) / total for name, text in texts.items()}
    lines = [_line(task.name, name, counts[name], total, _printed(paper, column)) for name, column in COUNTS.items()]
    lines += [_line(task.name, name, mean, total, None, unit(task, texts[name])) for name, mean in means.items()]
    return [line | {"verdict": _verdict(line, paper, comparable, near), "source": source} for line in lines]


def _line(task: str, metric: str, value: float, n: int, paper: int | None, signature: str = "") -> Line:
    blank = dict.fromkeys(("ci_low", "ci_high", "verdict", "source")) | {"seeds": "", "decoding": ""}
    delta = None if paper is None else value - paper
    found = {"table": TABLE, "row": task, "group": "task", "task": task, "metric": metric, "value": float(value)}
    return found | {"n": n, "paper": paper, "delta": delta, "signature": signature} | blank


def _printed(paper: Mapping[str, str], column: str | None) -> int | None:
    return size(paper[column])[0] if column and paper else None


def size(text: str) -> tuple[int, int]:
    """A printed size such as ``48.0K``, and half a unit of its last digit: what rounding may have taken."""
    scale = SCALES.get(text[-1:], 1)
    number = Decimal(text.rstrip("".join(SCALES)))
    last = Decimal(10) ** int(number.as_tuple().exponent)
    return int(number * scale), int(last * scale / 2)


def _verdict(line: Line, paper: Mapping[str, str], comparable: bool, near: float) -> str:
    """As for scores; a size matches when it would be printed as the paper prints it."""
    if line["paper"] is None:
        return UNPRINTED
    if not comparable:
        return SCALED
    half = size(paper[str(COUNTS[line["metric"]])])[1]
    return "match" if abs(line["delta"]) <= half + near * line["paper"] else f"off by {line['delta']:+,}"


def size_view(
    layout: Layout, lines: Sequence[Line], words: Mapping[str, Mapping[str, str]], paper: Paper, notice: str
) -> View:
    """The wide view; ``words`` are metrics, domain and language of each task of the run, as this project has them."""
    found: dict[str, dict[str, Line]] = {}
    for line in lines:
        found.setdefault(line["task"], {})[line["metric"]] = line
    known = [task for tasks in layout.sizes.sections.values() for task in tasks]
    parts = layout.sizes.sections | {"Tasks of one's own": [task for task in found if task not in known]}
    sections = [
        Section(title, [(task.upper(), _cells(found[task], words[task], paper.get(task, {}))) for task in tasks])
        for title, members in parts.items()
        if (tasks := [task for task in members if task in found])
    ]
    headings = [("", name.capitalize()) for name in (*COUNTS, *LENGTHS)] + [("", name) for name in WORDS.values()]
    absent = ", ".join(task.upper() for task in known if task not in found)
    units = dict.fromkeys(f"{line['signature']}" for line in lines if line["signature"])
    return View(
        name=f"Table {TABLE}",
        title=layout.sizes.title,
        banner=notice,
        blocks=[Block("", headings, sections, "Task")],
        absent=[("Tasks", absent)] if absent else [],
        signatures=[("Length", f"mean {' or '.join(units)} of what is read and of what is written")],
        reasons=[],
        pairs=[],
        legend=DESCRIBED,
    )


def _cells(found: Mapping[str, Line], words: Mapping[str, str], paper: Mapping[str, str]) -> list[Cell]:
    numbers = [_cell(found.get(name)) for name in (*COUNTS, *LENGTHS)]
    return numbers + [Cell(value=words[name], paper=paper.get(name, "").replace(";", ", ")) for name in WORDS]


def _cell(line: Mapping[str, Any] | None) -> Cell:
    if line is None:
        return Cell()
    decimals = 1 if line["metric"] in LENGTHS else 0
    paper = "" if line["paper"] is None else f"{line['paper']:,.0f}"
    text, whence = f"{line['value']:,.{decimals}f}", anchor_of(line)
    return Cell(text, paper=paper, verdict=line["verdict"], source=line["source"], anchor=whence)


def by_task(rows: Sequence[Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """Lines of table1.csv by task, as this project names tasks."""
    return {row["task"].lower(): row for row in rows}
