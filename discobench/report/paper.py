"""The paper's printed values, found by table, row, task and metric."""

import csv
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import open_text
from discobench.report.layout import Layout

Key = tuple[str, str, str]
"""Row, task, metric."""


def read_csv(path: Path) -> list[dict[str, str]]:
    """The lines of a CSV file as mappings."""
    with open_text(path) as stream:
        return list(csv.DictReader(stream))


def printed(layout: Layout, table: int, path: Path) -> dict[Key, float]:
    """What the paper prints, from its CSV at ``path``; empty cells are left out.

    Raises DiscoError when a line is no row of the layout or a column is not in the CSV.
    """
    values: dict[Key, float] = {}
    for line in read_csv(path):
        tasks, row = _row(layout, table, line, path)
        group = layout.rows[row].group
        for column in layout.columns(table):
            if column.paper is None or column.task not in tasks or not layout.fits(group, column.metric):
                continue
            if column.paper not in line:
                raise DiscoError(f"{path} has no column {column.paper!r}, which tables.yaml names; mend either.")
            if line[column.paper]:
                values[row, column.task, column.metric] = float(line[column.paper])
    return values


def _row(layout: Layout, table: int, line: dict[str, str], path: Path) -> tuple[set[str], str]:
    """The tasks and the row that a printed line is about."""
    if table in layout.rankings:
        blocks = layout.rankings[table].blocks
        found = [
            (task, row)
            for task, block in blocks.items()
            for row, name in block.rows.items()
            if (block.name, name) == (line["task"], line["model"])
        ]
    else:
        tasks = {column.task for column in layout.columns(table)}
        found = [
            (task, row)
            for row, entry in layout.rows.items()
            for task in tasks
            if entry.group == line["group"] and line["model"] in entry.names
        ]
    rows = {row for _, row in found}
    if len(rows) != 1:
        raise DiscoError(
            f"{path}: the line {', '.join(line.values())} fits {len(rows)} rows of tables.yaml; one is needed."
        )
    return {task for task, _ in found}, rows.pop()
