"""Rank the candidates of a diagnostic suite with a fine-tuned model."""

from pathlib import Path
from typing import Any

from discobench.device import device
from discobench.diagnose.ranking import examples, rank
from discobench.diagnose.suite import check_suite
from discobench.files import read_jsonl, write_json
from discobench.models import family
from discobench.models.base import Decoding
from discobench.models.finetuned import fine_tuned
from discobench.models.store import read_manifest
from discobench.tasks import task as find
from scripts.job import job


def main(model: Path, ranking: Path, suite: str, row: str, seed: int, params: Any) -> None:
    task, facts = find(params.task), read_manifest(model)
    instances = check_suite(read_jsonl(Path(params.path)), task, params.path)
    decoding = Decoding(**params.decoding)
    ranking_model = fine_tuned(family(facts["family"]), model.parent, facts, device(params.gpus))
    scores = ranking_model.log_likelihood(examples(task, instances), decoding)
    cell = {"suite": suite, "task": task.name, "row": row, "seed": seed}
    write_json(ranking, {**cell, **rank(instances, scores)})


if __name__ == "__main__":
    with job(globals()) as j:
        w = j.wildcards
        main(j.input.model, j.output.ranking, w.suite, w.row, int(w.seed), j.params)
