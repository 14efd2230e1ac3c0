"""What the leaderboard of a run shows, read from the files that its rule names."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.files import numbered_jsonl, read_json, read_text
from discobench.parquet import iterate_parquet, read_parquet
from discobench.records import beside, manifest_of
from discobench.report.balances import balance_sheet, flows
from discobench.report.board.cards import card_html
from discobench.report.board.entries import Entry, described, entries, heat_maps, scored
from discobench.report.board.instances import Answers, compared, sample
from discobench.report.board.site import Board, TaskPage
from discobench.report.board.submissions import current, labels_of, lines_of, marked, row_of, traced
from discobench.report.categories import labelled, parted
from discobench.report.layout import Layout, read_layout
from discobench.report.leakage import leakage_shown
from discobench.report.ledger import read_ledger, reasons
from discobench.report.long import Judge, Line, read_long, read_scores
from discobench.report.outcomes import not_ok
from discobench.report.paper import read_csv
from discobench.report.rankings import counted
from discobench.score.items import PREDICTIONS
from discobench.tasks import task as find

Paths = Sequence[Path]


class Run:
    """A finished run: ``files`` and ``params`` as rule ``leaderboard`` has them, ``root`` the folder of its results."""

    def __init__(self, files: Any, params: Any, root: Path) -> None:
        self.files, self.params, self.root = files, params, root
        self.layout: Layout = read_layout(files.layout).with_tasks(params.own).with_readings(params.instead)
        self.ledger = read_ledger(files.ledger)
        tests = {
            name: str(manifest_of(path)["outputs"]["test.parquet"])
            for name, path in zip(params.texts, files.data, strict=True)
        }
        run = [score for path in [*files.scores, *files.models] for score in read_scores(path)]
        found = marked([current(read_json(path), tests) for path in files.submissions], run)
        self.submissions = traced(found, files.submissions, root)
        self.labels = distinct(params.labels, params.groups) | labels_of(self.submissions)
        self.judge = Judge(params.comparable, params.tolerance, reasons(self.ledger, params.trusted))

    def board(self) -> Board:
        """All of it."""
        lines = [line for path in self.files.tables for line in read_long(path)]
        rows = scored([line for line in lines if "/" not in line["metric"]] + self._submitted())
        shown = self._entries(rows)
        pairs = zip(self.params.texts, self.files.data, strict=True)
        balances = balance_sheet(self.root, self.root.rglob("*.balance.json"))
        return Board(
            entries=shown,
            contract=self._entries(read_long(self.files.sizes) + lines) + self._described(),
            tasks=[self._task(name, data, shown) for name, data in pairs],
            maps=heat_maps(lines, self.layout, self.labels, counted(read_json(path) for path in self.files.rankings)),
            cards={
                name: card_html(read_text(path), texts)
                for (name, texts), path in zip(self.params.texts.items(), self.files.cards, strict=True)
            },
            submissions=self.submissions,
            accounts={
                "balances": balances,
                "flows": flows(balances),
                "ledger": self.ledger,
                "here": self.params.here,
                "leakage": leakage_shown(self.files.leakage),
            },
        )

    def _entries(self, lines: Sequence[Line]) -> list[Entry]:
        return entries(lines, self.layout, self.labels, f"{self.root.as_posix()}/", not_ok(self._statuses()))

    def _statuses(self) -> Iterator[tuple[str, str, Mapping[str, int]]]:
        """Row, task and the answers of each kind, of every cell and submission."""
        for found in map(read_json, self.files.scores):
            yield found["row"], found["task"], found["statuses"]
        for entry in self.submissions:
            yield from ((entry["row"], task, found["statuses"]) for task, found in entry["scores"].items())

    def _described(self) -> list[Entry]:
        return described((line for path in self.files.facts for line in read_csv(path)), f"{self.root.as_posix()}/")

    def _submitted(self) -> list[Line]:
        pairs = zip(self.submissions, self.files.submissions, strict=True)
        return [line for found, path in pairs for line in lines_of(found, path, self.layout, self.judge)]

    def _task(self, name: str, manifest: Path, shown: Sequence[Entry]) -> TaskPage:
        task, texts = find(name), self.params.texts[name]
        test = beside(manifest, "test.parquet")
        chosen = sample(iterate_parquet(test, task.schema), self.params.examples)
        ids = {record["id"] for record in chosen}
        answers = [*self._answers(name, ids), *self._foreign(name, ids)]
        return TaskPage(
            task=task,
            entries=[entry for entry in shown if entry.task == name],
            categories=parted(labelled(self.layout, task.metrics), self._scores(name), self.labels),
            compared=compared(task, chosen, answers, texts),
            size=sum(1 for _ in iterate_parquet(test, task.schema)),
            texts=texts,
        )

    def _cells(self, name: str) -> list[tuple[str, Path, Path]]:
        """Row, manifest of predictions and scores of each cell of a task."""
        parts = zip(self.params.cells, self.files.predictions, self.files.scores, strict=True)
        return [(row, manifest, scores) for (task, row), manifest, scores in parts if task == name]

    def _scores(self, name: str) -> list[Mapping[str, Any]]:
        """Those of each cell, and of the submissions that answer a task."""
        found = [(entry["row"], entry["scores"]) for entry in self.submissions]
        submitted = [{"row": row, **scores[name]} for row, scores in found if name in scores]
        return [read_json(scores) for _, _, scores in self._cells(name)] + submitted

    def _answers(self, name: str, ids: set[str]) -> list[Answers]:
        """Those of the first seed of each row."""
        first = {row: (manifest, scores) for row, manifest, scores in reversed(self._cells(name))}
        return [
            Answers(
                row=row,
                label=self.labels.get(row, row),
                predictions=_predictions(beside(first[row][0], PREDICTIONS), ids),
                values=_values(first[row][1].with_name("instances.parquet"), ids),
            )
            for row in dict.fromkeys(row for row, _, _ in self._cells(name))
        ]

    def _foreign(self, name: str, ids: set[str]) -> list[Answers]:
        """Those of the submissions that answer a task; their own licences speak too."""
        return [
            Answers(
                row=row_of(entry),
                label=str(entry["name"]),
                predictions=_predictions(path.with_name(f"{name}.jsonl"), ids),
                values=entry["scores"][name]["values"],
                texts=entry["licence"] in self.params.open_licences,
            )
            for entry, path in zip(self.submissions, self.files.submissions, strict=True)
            if name in entry["scores"]
        ]


def distinct(labels: Mapping[str, str], groups: Mapping[str, str]) -> dict[str, str]:
    """Row -> its label, with its group where another row of those in ``groups`` is called the same."""
    counts = Counter(labels[row] for row in groups)
    return {
        row: f"{label} · {groups[row]}" if counts[label] > 1 and row in groups else label
        for row, label in labels.items()
    }


def _predictions(path: Path, ids: set[str]) -> dict[str, tuple[Any, str]]:
    lines = (line for _, line in numbered_jsonl(path) if line["id"] in ids)
    return {line["id"]: (line["prediction"], str(line.get("status") or "ok")) for line in lines}


def _values(path: Path, ids: set[str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in read_parquet(path, "instance"):
        if row["id"] in ids:
            found.setdefault(row["metric"], {})[row["id"]] = row["value"]
    return found
