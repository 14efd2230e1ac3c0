"""Metrics of a run's tables that a model gives, each by a job of its own for all cells of a task."""

from pathlib import Path
from typing import cast

from discobench.config.selection import Selection
from discobench.config.strict import Language
from discobench.report.layout import read_layout
from discobench.score import MODEL_METRICS
from discobench.tasks import task as find

LAYOUT = Path(__file__).resolve().parents[2] / "resources/paper/tables.yaml"
RESULTS = (7, 8, 9, 10, 11)
"""Tables of results that a run has where it chooses none."""


def scorers(run: Selection) -> dict[tuple[str, str], str | None]:
    """Task and metric -> the checkpoint that gives it; None for COMET, whose model is no checkpoint of the registry."""
    models = {"ppl": run.config.score.perplexity_model, "bertscore": run.config.score.bertscore_model}
    layout = read_layout(LAYOUT)
    shown = {(c.task, c.metric) for table in run.config.run.tables or RESULTS for c in layout.columns(table)}
    wanted = [(name, metric) for name in run.tasks if run.cells(task=name) for metric in find(name).metrics]
    return {
        (name, metric): models[metric][cast(Language, find(name).languages[1])] if metric in models else None
        for name, metric in wanted
        if metric in MODEL_METRICS and (name, metric) in shown
    }
