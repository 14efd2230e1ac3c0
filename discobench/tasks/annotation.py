"""Sheets on which two people annotate or assess a sample of each test set (paper section 3.4, Table 2).

Understanding tasks are answered anew, in the words in which an LLM would answer; translation and generation are
assessed for fluency and adequacy (coherence) from 1 to 5.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import BadZipFile
from zlib import error as ZlibError

from discobench.errors import DiscoError
from discobench.files import read_text, whole, write_text
from discobench.tasks.base import Record, Task
from discobench.tasks.build import bounded

ANNOTATORS = (1, 2)
ASPECTS = ("fluency", "adequacy")
GRADES = range(1, 6)
EPOCH = datetime(1980, 1, 1)
"""When a workbook says it was made, so that the same records give the same bytes."""
REMEDY = "fill a sheet that `annotation_sheets` wrote and keep its columns"
BROKEN = (OSError, EOFError, KeyError, ValueError, AttributeError, SyntaxError, BadZipFile, ZlibError)
"""What openpyxl raises of files that are no workbooks, or half of one; errors of XML are of syntax."""
Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What an annotator sees and is asked: ``asked`` columns are for them to fill."""

    shown: tuple[str, ...]
    asked: tuple[str, ...]
    rows: list[Row]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in their order; records are joined by the first."""
        return ("id", *self.shown, *self.asked)


def asked(task: Task) -> tuple[str, ...]:
    """The columns that annotators fill: an answer, or a grade for each aspect."""
    return ASPECTS if task.formulation == "text" else ("answer",)


def sheet(task: Task, test: Sequence[Record], size: int) -> Sheet:
    """A sample of ``size`` records, drawn by a hash of their ids, in the order of the test set."""
    chosen = bounded(test, size)
    shown = [dict(task.fields(record)) for record in chosen]
    if task.formulation == "text":
        shown = [fields | {"target": task.gold(record)[0]} for fields, record in zip(shown, chosen, strict=True)]
    blank = dict.fromkeys(asked(task), "")
    rows = [{"id": record["id"], **fields, **blank} for record, fields in zip(chosen, shown, strict=True)]
    return Sheet(tuple(shown[0]) if shown else (), asked(task), rows)


def write_csv(path: Path, made: Sheet) -> None:
    """The sheet as CSV; the mark in front tells spreadsheets that it is UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, made.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(made.rows)
    write_text(path, "\ufeff" + text.getvalue())


def write_xlsx(path: Path, made: Sheet) -> None:
    """The sheet as a workbook whose cells are texts, whatever they begin with."""
    from xlsxwriter import Workbook

    with whole(path) as temporary, Workbook(str(temporary)) as book:
        book.set_properties({"created": EPOCH})
        page = book.add_worksheet()
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        page.set_column(0, len(made.columns) - 1, 40, wrapped)
        for n, row in enumerate([dict(zip(made.columns, made.columns, strict=True)), *made.rows]):
            for column, name in enumerate(made.columns):
                page.write_string(n, column, row[name])
        page.freeze_panes(1, 1)


def read_sheet(path: Path) -> list[Row]:
    """The rows of a filled sheet, CSV or XLSX, every cell a text; blank rows stay, so that rows keep their numbers.

    Raises DiscoError naming what is not a sheet.
    """
    cells = _cells_of_book(path) if path.suffix.lower() == ".xlsx" else _cells_of_text(path)
    while cells and not any(cells[-1]):
        cells.pop()
    head = cells[0] if cells else []
    if "id" not in head or len(set(filter(None, head))) < len([name for name in head if name]):
        raise DiscoError(f"{path} has no column id, or a column twice, in its first row; {REMEDY}.")
    wide = next((n for n, row in enumerate(cells, start=1) if any(row[len(head) :])), None)
    if wide:
        raise DiscoError(f"{path}, row {wide} has more cells than the first row has columns; {REMEDY}.")
    return [dict(zip(head, [*row, *[""] * len(head)][: len(head)], strict=True)) for row in cells[1:]]


def _cells_of_text(path: Path) -> list[list[str]]:
    text = read_text(path).removeprefix("\ufeff")
    try:
        return list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise DiscoError(f"{path} is not CSV ({error}); {REMEDY}.") from error


def _cells_of_book(path: Path) -> list[list[str]]:
    from openpyxl import load_workbook

    try:
        page = load_workbook(path, read_only=True, data_only=True).active
        return [[_text(cell) for cell in row] for row in page.iter_rows(values_only=True)]
    except BROKEN as error:
        raise DiscoError(
            f"{path} is not a workbook whose first sheet holds cells; save it as .xlsx or as UTF-8 .csv."
        ) from error


def _text(cell: Any) -> str:
    """A cell as a person reads it: spreadsheets turn 4 into 4.0."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)


def answers(task: Task, path: Path, rows: Sequence[Row], expected: Mapping[str, Record]) -> dict[str, list[str]]:
    """What one annotator gave: per asked column the labels of all units, in the order of ``expected``.

    Raises DiscoError with one line per fault, naming row and column, when records are missing, come twice or are not
    of the sample, or when a cell holds no answer of the task.
    """
    faults = list(_faults(task, rows, expected))
    if faults:
        raise DiscoError("\n".join(f"{path}, {fault}" for fault in faults))
    by_id = {row["id"]: row for row in rows}
    if task.formulation == "text":
        return {aspect: [by_id[name][aspect].strip() for name in expected] for aspect in ASPECTS}
    parsed = ((record, task.parse(by_id[name]["answer"], record)[0]) for name, record in expected.items())
    return {"answer": [unit for record, value in parsed for unit in task.units(record, value)]}


def _faults(task: Task, rows: Sequence[Row], expected: Mapping[str, Record]) -> list[str]:
    missing = [column for column in asked(task) if rows and column not in rows[0]]
    if missing:
        return [f"row 1: column {', '.join(missing)} is missing; keep the columns of the sheet."]
    faults, seen = [], set()
    for number, row in enumerate(rows, start=2):
        if not any(row.values()):
            continue
        name = row["id"]
        if name not in expected:
            faults.append(f"row {number}, column id: found {name!r}, which is not in the sample; keep the sheet's ids.")
        elif name in seen:
            faults.append(f"row {number}, column id: {name!r} comes twice; keep one of the rows.")
        else:
            faults += [f"row {number}, column {text}" for text in _unfit(task, row, expected[name])]
        seen.add(name)
    absent = [name for name in expected if name not in seen]
    return faults + ([f"{len(absent)} rows are missing, the first is {absent[0]!r}."] if absent else [])


def _unfit(task: Task, row: Row, record: Record) -> list[str]:
    if task.formulation == "text":
        grades = {str(grade) for grade in GRADES}
        return [
            f"{aspect}: found {row[aspect]!r}; give a whole number from {GRADES[0]} to {GRADES[-1]}."
            for aspect in ASPECTS
            if row[aspect].strip() not in grades
        ]
    _, status = task.parse(row["answer"], record)
    hint = "answer as the task's prompt in resources/prompts asks"
    return [] if status == "ok" else [f"answer: found {row['answer']!r}, which is no answer ({status}); {hint}."]
