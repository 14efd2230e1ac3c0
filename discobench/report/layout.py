"""What the tables are made of: resources/paper/tables.yaml, typed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from discobench.config.load import read_as
from discobench.config.references import RANKING
from discobench.config.strict import Strict
from discobench.errors import DiscoError

GROUPS = {
    "baseline": "Trivial baselines",
    "plain": "Plain models",
    "existing": "Existing pretrained models",
    "disco-bench": "Disco-Bench pretrained models",
    "llm": "Large language models",
}
MAIN = 7
"""The table of every task's first metric."""
OVERALL = "overall"
READINGS = {"sum": "ranked by the whole answer", "mean": "ranked per token", "asked": "asked in words"}
ASKED = "asked"
"""How rows of group llm rank, which have no probabilities."""


class Look(Strict):
    """How a metric is shown."""

    label: str
    better: Literal["higher", "lower"]
    decimals: int


class Column(Strict):
    """A task's metric, and the column of the paper's CSV that prints it."""

    task: str
    metric: str
    paper: str | None = None


class ScoreTable(Strict):
    """Tables 7-10."""

    title: str
    columns: list[Column]


class SizeTable(Strict):
    """Table 1: its tasks by the kind of task."""

    title: str
    sections: dict[str, list[str]]


class Block(Strict):
    """The part of Table 11 that belongs to a task: its name there, and row -> line."""

    name: str
    rows: dict[str, str]


class RankingTable(Strict):
    """Table 11."""

    title: str
    types: list[str]
    printed: Literal["sum", "mean"]
    blocks: dict[str, Block]


class PaperRow(Strict):
    """The names by which the paper's tables call a row."""

    group: str
    names: list[str]


class Layout(Strict):
    """Every table of scores and rankings."""

    metrics: dict[str, Look]
    sizes: SizeTable
    scores: dict[int, ScoreTable]
    rankings: dict[int, RankingTable]
    rows: dict[str, PaperRow]

    def title(self, table: int) -> str:
        """The title of a table; raises DiscoError with the known numbers."""
        found = self.scores.get(table) or self.rankings.get(table)
        if found is None:
            known = ", ".join(map(str, sorted({**self.scores, **self.rankings})))
            raise DiscoError(f"run.tables: found {table}, which is not laid out in tables.yaml; allowed: {known}.")
        return found.title

    def columns(self, table: int) -> list[Column]:
        """The columns of a table in reading order; a ranking's metrics are ``<type>/<reading>``."""
        self.title(table)
        if table in self.scores:
            return self.scores[table].columns
        ranking = self.rankings[table]
        return [
            Column(task=task, metric=f"{name}/{reading}", paper=name if printed and name != OVERALL else None)
            for task in ranking.blocks
            for reading in READINGS
            for printed in [reading in (ranking.printed, ASKED)]
            for name in (*ranking.types, OVERALL)
        ]

    def without_column(self, metrics: Mapping[str, str]) -> dict[str, str]:
        """Those of some tasks (name -> first metric) that no table knows."""
        known = {column.task for table in self.scores.values() for column in table.columns}
        return {task: metric for task, metric in metrics.items() if task not in known}

    def with_tasks(self, metrics: Mapping[str, str]) -> "Layout":
        """This layout with a column of Table 7 more for each task (name -> its metric there).

        Raises DiscoError for a metric that tables.yaml does not describe.
        """
        for task, metric in metrics.items():
            if metric not in self.metrics:
                known = ", ".join(self.metrics)
                raise DiscoError(f"discobench/tasks/{task}.py: metrics begin with {metric!r}; allowed: {known}.")
        main = self.scores[MAIN]
        own = [Column(task=task, metric=metric) for task, metric in metrics.items()]
        wider = main.model_copy(update={"columns": [*main.columns, *own]})
        return self.model_copy(update={"scores": {**self.scores, MAIN: wider}})

    def with_readings(self, instead: Mapping[str, Mapping[str, str]]) -> "Layout":
        """This layout with metrics of some tasks exchanged, task -> metric -> the one that takes its place.

        The place keeps what the paper prints there, so that the other reading is held against it.
        """
        both = {task: {**{b: a for a, b in pairs.items()}, **pairs} for task, pairs in instead.items()}

        def read(column: Column) -> Column:
            return column.model_copy(update={"metric": both.get(column.task, {}).get(column.metric, column.metric)})

        scores = {
            number: table.model_copy(update={"columns": [read(column) for column in table.columns]})
            for number, table in self.scores.items()
        }
        return self.model_copy(update={"scores": scores})

    def fits(self, group: str, metric: str) -> bool:
        """Whether rows of a group may have a metric: rankings are read in one way or another."""
        return "/" not in metric or (group == "llm") == metric.endswith(f"/{ASKED}")

    def look(self, metric: str) -> Look:
        """How a metric is shown."""
        return self.metrics[kind(metric)]


def kind(metric: str) -> str:
    """What a metric is called in settings: the devices and readings of Table 11 are one."""
    return RANKING if "/" in metric else metric


def read_layout(path: Path) -> Layout:
    """Read tables.yaml; raises DiscoError naming the file and the first faulty key."""
    return read_as(Layout, path)
