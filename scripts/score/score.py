"""Score one cell: predictions of a row and seed for a task."""

from pathlib import Path
from typing import Any

from discobench.files import write_json
from discobench.parquet import read_parquet, write_parquet
from discobench.records import beside
from discobench.score.categories import by_category
from discobench.score.cells import decoding, rows, summaries
from discobench.score.items import answered
from discobench.score.measure import Options
from discobench.score.registry import evaluate
from discobench.tasks import task as find
from scripts.job import job


def main(data: Path, predictions: Path, out: Any, name: str, cell: dict[str, Any], params: Any) -> None:
    task = find(name)
    items, statuses = answered(task, read_parquet(beside(data, "test.parquet"), task.schema), predictions)
    options = Options(task.languages[1], params.bootstrap, params.seed, params.nltk_data, params.outside_inventory)
    results = evaluate(task, items, options)
    write_parquet(out.instances, rows(results), "instance")
    how = decoding(predictions)
    parted, metrics = by_category(task, items, options, how), summaries(results, how)
    write_json(out.scores, {"task": name, **cell, "statuses": statuses, "metrics": metrics, "categories": parted})


if __name__ == "__main__":
    with job(globals()) as j:
        cell = {"row": j.wildcards.row, "seed": int(j.wildcards.seed), "checkpoint": j.params.checkpoint}
        main(j.input.data, j.input.predictions, j.output, j.wildcards.task, cell, j.params)
