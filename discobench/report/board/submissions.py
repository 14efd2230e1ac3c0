"""Scored submissions as rows of the leaderboard."""

from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from discobench.operations.made import Records, records
from discobench.report.board.entries import SUBMISSION
from discobench.report.layout import Layout
from discobench.report.long import Judge, Line, Score, long_table
from discobench.report.trail import jobs_of
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


def signatures(scores: Iterable[Score]) -> dict[tuple[str, str], set[str]]:
    """Task and metric -> how its values came about."""
    found: dict[tuple[str, str], set[str]] = {}
    for score in scores:
        if score.value is not None:
            found.setdefault((score.task, score.metric), set()).add(score.signature)
    return found


def marked(submissions: Sequence[Mapping[str, Any]], run: Iterable[Score]) -> list[dict[str, Any]]:
    """``submissions`` with ``apart``: task and metric -> why a value may not be ranked with the others of its column.

    The others are those of the run, or all submissions where the run has none. Values of instances, which stand
    beside the run's too, are left out with them, and so are its scores by category.
    """
    among = signatures(score for entry in submissions for score in _scores(entry, Path()))
    return [_marked(entry, among | signatures(run)) for entry in submissions]


def _marked(submission: Mapping[str, Any], columns: Mapping[tuple[str, str], set[str]]) -> dict[str, Any]:
    apart = {
        (score.task, score.metric): f"scored as {score.signature}, others here as "
        f"{' and '.join(sorted(columns[score.task, score.metric] - {score.signature}))}; score it again"
        for score in _scores(submission, Path())
        if score.value is not None and columns[score.task, score.metric] != {score.signature}
    }
    same = {
        task: _agreeing(found, {metric for name, metric in apart if name == task})
        for task, found in submission["scores"].items()
    }
    return {**submission, "scores": same, "apart": apart}


def _agreeing(found: Mapping[str, Any], apart: Set[str]) -> dict[str, Any]:
    parts = {
        kind: {name: {m: one for m, one in own.items() if m not in apart} for name, own in names.items()}
        for kind, names in found.get("categories", {}).items()
    }
    values = found.get("values", {})
    return {**found, "values": values if apart.isdisjoint(values) else {}, "categories": parts}


def traced(submissions: Sequence[Mapping[str, Any]], paths: Sequence[Path], root: Path) -> list[dict[str, Any]]:
    """``submissions`` with their ``row``, ``files`` (name, path from ``root``) and the ``jobs`` that scored them."""
    made = records(root)
    return [_traced(entry, path.relative_to(root), made) for entry, path in zip(submissions, paths, strict=True)]


def _traced(submission: Mapping[str, Any], path: Path, made: Records) -> dict[str, Any]:
    answers = [(f"answers to {task.upper()}", path.with_name(f"{task}.jsonl")) for task in submission["scores"]]
    files = [(name, place.as_posix()) for name, place in [("scores", path), *answers]]
    return {**submission, "row": row_of(submission), "files": files, "jobs": jobs_of(made, [path.as_posix()])}


def labels_of(submissions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Row -> the name that its authors gave it."""
    return {row_of(entry): str(entry["name"]) for entry in submissions}


def lines_of(submission: Mapping[str, Any], path: Path, layout: Layout, judge: Judge) -> list[Line]:
    """The lines of every table of scores that a submission has a value for; those ``apart`` say so."""
    row, tasks = row_of(submission), submission["scores"]
    rows = {row: {"group": SUBMISSION, "tasks": list(tasks)}}
    scores = _scores(submission, path)
    lines = [line for table in layout.scores for line in long_table(layout, table, rows, scores, {}, judge)]
    apart = submission["apart"]
    return [line | {"apart": apart.get((line["task"], line["metric"]), "")} for line in lines]


def _scores(submission: Mapping[str, Any], path: Path) -> list[Score]:
    return [
        Score(
            row=row_of(submission),
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
        for task, found in submission["scores"].items()
        for metric, entry in found["metrics"].items()
    ]
