"""Scores of answers that came from elsewhere: the measures, options and signatures of the run's own cells."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from discobench.score import MODEL_METRICS
from discobench.score.categories import by_category
from discobench.score.cells import every_cell, summary
from discobench.score.items import join, statuses
from discobench.score.measure import Measure, Metric, NotRun, Options
from discobench.score.models import model_metric
from discobench.score.registry import evaluate
from discobench.tasks.base import Record, Task

CELL = ("submission", 1)


def score_answers(
    task: Task, records: Sequence[Record], lines: Sequence[Mapping[str, Any]], settings: Any
) -> dict[str, Any]:
    """``{statuses, metrics, values, categories}`` of one task; the last two are of metrics without a model.

    ``values`` are those of instances by id, ``categories`` as the score of a cell has them.

    ``settings`` has bootstrap, seed, nltk_data, outside_inventory and what ``model_metric`` needs; ``models`` maps a
    metric to the manifest of its model per language.
    """
    items = join(task, records, lines, f"the submission's answers to {task.name}")
    language, outside = task.languages[1], settings.outside_inventory
    options = Options(language, settings.bootstrap, settings.seed, settings.nltk_data, outside)
    results: dict[str, Metric | NotRun] = evaluate(task, items, options)
    values = {name: found.instances for name, found in results.items() if isinstance(found, Metric)}
    for name in (metric for metric in task.metrics if metric in MODEL_METRICS):
        manifest = settings.models.get(name, {}).get(language)
        made = every_cell({CELL: items}, options, partial(_loaded, name, manifest, settings))
        results[name] = made[CELL]
    metrics = {name: summary(result) for name, result in results.items()}
    parts = by_category(task, items, options)
    return {"statuses": statuses(lines), "metrics": metrics, "values": values, "categories": parts}


def _loaded(name: str, manifest: str | None, settings: Any) -> Measure:
    """The measure of a metric with the model of ``manifest``; raises NotRun where that is still to be trained."""
    if manifest and not Path(manifest).is_file():
        raise NotRun(
            f"the model of {name} is not made yet; make {manifest} by the run's own command and score it again"
        )
    return model_metric(name, [Path(manifest).parent] if manifest else [], settings)
