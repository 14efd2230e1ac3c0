"""Rank the candidates of a diagnostic suite with a fine-tuned model."""

from functools import partial
from pathlib import Path
from typing import Any

from discobench.device import device
from discobench.diagnose.fitting import fitted
from discobench.diagnose.ranking import rank, signature
from discobench.diagnose.suite import read_suite
from discobench.files import write_json
from discobench.models import family
from discobench.models.base import Decoding
from discobench.models.finetuned import fine_tuned
from discobench.models.store import read_manifest
from discobench.tasks import task as find
from scripts.job import job


def main(suite: list[Path], model: Path, ranking: Path, cell: dict[str, Any], params: Any) -> None:
    task, facts = find(params.task), read_manifest(model)
    instances = read_suite(suite, params.path, task)
    ranking_model = fine_tuned(family(facts["family"]), model.parent, facts, device(params.gpus))
    decoding = Decoding(**params.decoding)
    score = partial(ranking_model.log_likelihood, decoding=decoding)
    scores = fitted(score, task, instances, params.sequence)
    how = signature(task, params.sequence, instances)
    write_json(ranking, {**cell, "task": task.name, **rank(instances, scores, how)})


if __name__ == "__main__":
    with job(globals()) as j:
        cell = {"suite": j.wildcards.suite, "row": j.wildcards.row, "seed": int(j.wildcards.seed)}
        main(j.input.suite, j.input.model, j.output.ranking, cell, j.params)
