"""Which files the leaderboard consists of; imported while planning, so it imports nothing."""

from collections.abc import Sequence

ASSETS = ("style.css", "board.css", "board.js")
SHARED = {
    "diagnostic.html": "Diagnostic suite",
    "contract.html": "Contract",
    "cards.html": "Data cards",
    "balance.html": "Balance sheets",
    "ledger.html": "Ledger",
}


def page_names(tasks: Sequence[str]) -> dict[str, str]:
    """File -> what it is called in the navigation, in its order."""
    return {"index.html": "Overview"} | {task_page(name): name.upper() for name in tasks} | SHARED


def task_page(task: str) -> str:
    """The file of a task's page; its prefix keeps tasks of one's own apart from the pages that every run has."""
    return f"task-{task}.html"
