"""Fine-tune a checkpoint for a task."""

from pathlib import Path
from typing import Any

from discobench.device import device
from discobench.files import sha256
from discobench.finetune.run import ORIGIN, Run, finetune
from discobench.models import family
from discobench.models.base import Settings
from discobench.models.store import read_manifest, write_manifest
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from discobench.trainer import state_folder
from scripts.job import job


def main(data: Path, checkpoint: Path, out: Path, name: str, row: str, seed: int, params: Any) -> None:
    task, base = find(name), read_manifest(checkpoint)
    splits = (read_parquet(beside(data, f"{split}.parquet"), task.schema) for split in ("train", "valid"))
    train, valid = ([task.example(record) for record in records] for records in splits)
    settings = Settings(task.formulation, params.training["max_length"], task.forms, *task.languages)
    inputs = {"data": sha256(data), "base": sha256(checkpoint)}
    state = state_folder(Path(params.state), training=params.training, seed=seed, version=params.version, **inputs)
    model, place = family(base["family"]), device(params.gpus)
    run = Run(model, checkpoint.parent, settings, params.training, seed, params.precision, place, state, out)
    facts = finetune(run, train, valid) | {key: base.get(key) for key in ORIGIN}
    write_manifest(out, task=name, row=row, base=inputs["base"], **facts)


if __name__ == "__main__":
    with job(globals()) as j:
        w = j.wildcards
        main(j.input.data, j.input.checkpoint, j.output.model.parent, w.task, w.row, int(w.seed), j.params)
