"""Tables as the linter reads them: the paper's as they are, a run's with a line for each row."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from discobench.report.paper import read_csv

Row = Mapping[str, str]
THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")
NAMES = {"f1": "F1", "em": "EM", "dist2": "Dist2", "dist4": "Dist4"}
"""Metrics as columns of the paper's tables name them."""


def printed_tables(paths: Sequence[Path]) -> dict[int, list[dict[str, str]]]:
    """The rows of files named table<n>.csv; long tables of a run are turned to one line a row."""
    numbers = [(int(found[1]), path) for path in paths if (found := re.fullmatch(r"table(\d+)\.csv", path.name))]
    return {number: wide(read_csv(path)) for number, path in sorted(numbers)}


def wide(rows: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Lines of a long table with the columns of the paper's, thousands without commas; other tables as they are.

    Scores are told for each seed: of their means neither F1 from its parts nor whole numbers of answers are true.
    """
    if not rows or not {"table", "row", "metric", "value"} <= set(rows[0]):
        return list(rows)
    place, cells = SHAPES.get(rows[0]["table"], (_model, _score))
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for row in chain.from_iterable(map(_seeds, rows)):
        where = place(row)
        found.setdefault(tuple(where.values()), where).update(cells(row))
    return list(found.values())


def _seeds(row: dict[str, str]) -> list[dict[str, str]]:
    """A cell for each of its seeds (``1=50.0000;2=51.2500``); one that has none as it is."""
    each = [part.partition("=") for part in row.get("seeds", "").split(";")]
    return [row | {"seed": seed, "value": value or row["value"], "mean": row["value"]} for seed, _, value in each]


def _task(row: Row) -> dict[str, str]:
    return {"task": row["row"].upper()}


def _tuned(row: Row) -> dict[str, str]:
    return {"Task": row["row"]}


def _genre(row: Row) -> dict[str, str]:
    category, _, genre = row["row"].partition(" ")
    return {"language": row["group"], "category": category, "genre": genre}


def _model(row: Row) -> dict[str, str]:
    return {"group": row["group"], "model": row["row"], "seed": row["seed"]}


def _fact(row: Row) -> dict[str, str]:
    return {row["metric"]: _plain(row["value"])}


def _size(row: Row) -> dict[str, str]:
    return _fact(row) | {"n": row["n"]}


def _score(row: Row) -> dict[str, str]:
    name = f"{row['task'].upper()}_{NAMES.get(row['metric'], row['metric'])}"
    return {name: row["value"], f"{name}_n": row["n"], f"{name}_mean": row["mean"]}


def _plain(text: str) -> str:
    return text.replace(",", "") if THOUSANDS.fullmatch(text) else text


Shape = tuple[Callable[[Row], dict[str, str]], Callable[[Row], dict[str, str]]]
SHAPES: Mapping[str, Shape] = {
    "1": (_task, _size),
    "2": (_task, _fact),
    "5": (_genre, _fact),
    "6": (_model, _fact),
    "15": (_model, _fact),
    "16": (_tuned, _fact),
}
"""What a line of a table is about and what it says of that; tables of scores have a column for each TASK_metric."""
