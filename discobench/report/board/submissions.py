"""Scored submissions as rows of the leaderboard."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.report.board.entries import SUBMISSION
from discobench.report.layout import Layout
from discobench.report.long import Judge, Line, Score, long_table
from discobench.score import VERSION


def row_of(submission: Mapping[str, Any]) -> str:
    """The row's key: what a file is called may come twice, its digest does not."""
    return f"{SUBMISSION}-{submission['sha256'][:12]}"


def current(submission: Mapping[str, Any], tests: Mapping[str, str]) -> dict[str, Any]:
    """``submission`` with the scores that may stand beside the run's; ``outdated`` names the other tasks.

    ``tests`` gives the SHA-256 of each test set of the run: another set or another scoring is another column.
    """
    same = {
        task: found
        for task, found in submission["scores"].items()
        if submission["version"] == VERSION and submission["tests"][task] == tests.get(task)
    }
    return {**submission, "scores": same, "outdated": sorted(set(submission["scores"]) - set(same))}


def labels_of(submissions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Row -> the name that its authors gave it."""
    return {row_of(entry): str(entry["name"]) for entry in submissions}


def lines_of(submission: Mapping[str, Any], path: Path, layout: Layout, judge: Judge) -> list[Line]:
    """The lines of every table of scores that a submission has a value for."""
    row, tasks = row_of(submission), submission["scores"]
    scores = [
        Score(
            row=row,
            seed=1,
            task=task,
            metric=metric,
            value=entry.get("value"),
            n=entry.get("n"),
            ci95=tuple(entry["ci95"]) if entry.get("ci95") else None,
            signature=entry.get("signature", ""),
            source=str(path),
            reason=entry.get("not_run", ""),
        )
        for task, found in tasks.items()
        for metric, entry in found["metrics"].items()
    ]
    rows = {row: {"group": SUBMISSION, "tasks": list(tasks)}}
    return [line for table in layout.scores for line in long_table(layout, table, rows, scores, {}, judge)]
