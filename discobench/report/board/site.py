"""The pages of the leaderboard from what they show; paths, style and program of the site are the same in every run."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jinja2.utils import htmlsafe_json_dumps

from discobench.report.board.entries import Entry, Heat, main_metrics
from discobench.report.board.names import ASSETS, page_names, task_page
from discobench.report.categories import Parted
from discobench.report.markup import html
from discobench.tasks.base import Task

DUMPS = partial(json.dumps, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A task's page; ``compared`` as ``instances.compared`` gives it, ``size`` counts the whole test set."""

    task: Task
    entries: list[Entry]
    categories: Mapping[str, Parted]
    compared: Mapping[str, Any]
    size: int
    texts: bool


@dataclass(frozen=True, slots=True)
class Board:
    """What the leaderboard shows; ``accounts`` are the values of the parts that it shares with the page of the run."""

    entries: list[Entry]
    contract: list[Entry]
    tasks: list[TaskPage]
    maps: list[Heat]
    cards: Mapping[str, str]
    submissions: Sequence[Mapping[str, Any]]
    accounts: Mapping[str, Any]


def site(templates: Path, title: str, notice: str, board: Board) -> dict[str, str]:
    """File -> its text, every page of ``page_names`` and ASSETS."""
    names = page_names([page.task.name for page in board.tasks])
    values: dict[str, dict[str, Any]] = {
        "index.html": _choices(board.entries)
        | {"entries": board.entries, "matrix": main_metrics(board.entries), "submissions": board.submissions},
        "diagnostic.html": {"maps": board.maps},
        "contract.html": _contract(board.contract),
        "cards.html": {"cards": board.cards},
        "balance.html": {"root": "../", **board.accounts},
        "ledger.html": dict(board.accounts),
    }
    values |= {task_page(page.task.name): {"task": _task(page)} for page in board.tasks}
    pages = {
        file: html(
            templates,
            f"board/{'task.html' if file.startswith('task-') else file}.j2",
            title=f"{title}: {name}",
            page=file,
            pages=names,
            notice=notice,
            **values[file],
        )
        for file, name in names.items()
    }
    return pages | {name: (templates / name).read_text("utf-8") for name in ASSETS}


def _choices(entries: Sequence[Entry]) -> dict[str, list[str]]:
    """What the filters of a table of scores offer, in the order in which it comes."""
    return {
        "groups": list(dict.fromkeys(entry.group for entry in entries)),
        "tasks": list(dict.fromkeys(entry.task.upper() for entry in entries if entry.task)),
        "metrics": list(dict.fromkeys(entry.metric for entry in entries)),
    }


def _contract(entries: Sequence[Entry]) -> dict[str, Any]:
    tables = sorted({entry.table for entry in entries}, key=int)
    return _choices(entries) | {
        "entries": entries,
        "tables": tables,
        "kinds": dict(sorted(Counter(entry.kind for entry in entries).items())),
    }


def _task(page: TaskPage) -> dict[str, Any]:
    return _choices(page.entries) | {
        "name": page.task.name,
        "about": (page.task.__class__.__doc__ or "").strip(),
        "languages": page.compared["languages"],
        "entries": page.entries,
        "categories": page.categories,
        "compared": page.compared,
        "chosen": _best_two(page),
        "data": htmlsafe_json_dumps(page.compared, dumps=DUMPS),
        "size": page.size,
        "texts": page.texts,
    }


def _best_two(page: TaskPage) -> tuple[int, int]:
    """Places among the compared rows of the best in the first metric and of the one before it in the same table."""
    rows = [row["row"] for row in page.compared["rows"]]
    first = next((entry.metric for entry in page.entries), "")
    found = [entry for entry in page.entries if entry.metric == first and entry.row in rows]
    best = next((rows.index(entry.row) for entry in found if entry.best), 0)
    return (best - 1 if best else min(1, len(rows) - 1)), best
