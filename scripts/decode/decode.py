"""Answer a task's test set with a fine-tuned model."""

from pathlib import Path
from typing import Any

from discobench.decode.predictions import write_predictions
from discobench.device import device
from discobench.models import family
from discobench.models.base import Decoding
from discobench.models.finetuned import fine_tuned
from discobench.models.store import read_manifest
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from scripts.job import job


def main(data: Path, model: Path, predictions: Path, manifest: Path, name: str, params: Any) -> None:
    task, facts = find(name), read_manifest(model)
    test = read_parquet(beside(data, "test.parquet"), task.schema)
    examples = [task.example(record) for record in test]
    decoding = Decoding(**params.decoding, seed=params.seed)
    answering = fine_tuned(family(facts["family"]), model.parent, facts, device(params.gpus))
    found = answering.predict(examples, decoding)
    write_predictions(predictions, manifest, [record["id"] for record in test], found)


if __name__ == "__main__":
    with job(globals()) as j:
        o = j.output
        main(j.input.data, j.input.model, o.predictions, o.balance, j.wildcards.task, j.params)
