"""Score all cells of a task by one metric that needs a model, in one process."""

from pathlib import Path
from typing import Any

from discobench.files import write_json
from discobench.parquet import read_parquet, write_parquet
from discobench.records import beside
from discobench.score.cells import decoding, every_cell, rows, summary
from discobench.score.items import answered
from discobench.score.measure import Options
from discobench.score.models import model_metric
from discobench.tasks import task as find
from scripts.job import job


def main(data: Path, predictions: list[Path], model: list[Path], out: Any, name: str, metric: str, params: Any) -> None:
    task = find(name)
    records = read_parquet(beside(data, "test.parquet"), task.schema)
    cells = {
        (row, seed): answered(task, records, manifest)[0]
        for (row, seed, _), manifest in zip(params.answers, predictions, strict=True)
    }
    options = Options(task.languages[1], params.bootstrap, params.seed)
    results = every_cell(cells, options, lambda: model_metric(metric, [m.parent for m in model], params))
    named = {f"{row}/seed-{seed}": result for (row, seed), result in results.items()}
    write_parquet(out.instances, rows(named), "instance")
    scores = [
        {"row": row, "seed": seed, "checkpoint": checkpoint, **summary(results[row, seed], decoding(manifest))}
        for (row, seed, checkpoint), manifest in zip(params.answers, predictions, strict=True)
    ]
    write_json(out.scores, {"task": name, "metric": metric, "cells": scores})


if __name__ == "__main__":
    with job(globals()) as j:
        j.params.gpus = j.resources.gpu
        main(j.input.data, j.input.predictions, j.input.model, j.output, j.wildcards.task, j.wildcards.metric, j.params)
