"""Answer the test set of a task with a fine-tuned model, or of several tasks one after the other."""

from pathlib import Path
from typing import Any

from discobench.decode.predictions import write_predictions
from discobench.decode.shards import finished, in_shards
from discobench.device import device
from discobench.errors import about
from discobench.files import sha256
from discobench.models import family
from discobench.models.base import Decoding
from discobench.models.finetuned import fine_tuned
from discobench.models.store import read_manifest
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from discobench.trainer import state_folder
from scripts.job import job


def main(data: Path, model: Path, predictions: Path, manifest: Path, name: str, settings: Any, p: Any) -> None:
    task, facts = find(name), read_manifest(model)
    test = read_parquet(beside(data, "test.parquet"), task.schema)
    examples = [task.example(record) for record in test]
    same = {"data": sha256(data), "model": sha256(model), "decoding": settings, "version": p.version}
    state = state_folder(p.state, precision=p.precision, **same)
    answering = fine_tuned(family(facts["family"]), model.parent, facts, device(p.gpus), p.precision)
    found = in_shards(state, examples, lambda some: answering.predict(some, Decoding(**settings)))
    write_predictions(predictions, manifest, [record["id"] for record in test], found)
    finished(state)


if __name__ == "__main__":
    with job(globals()) as j:
        p = j.params
        files = zip(j.input.data, j.input.model, j.output.predictions, j.output.balance, strict=True)
        for paths, (task, _), decoding in zip(files, p.cells, p.decoding, strict=True):
            with about(f"task {task}"):
                main(*paths, task, decoding | {"seed": p.seed}, p)
