"""Fine-tune a checkpoint for a task, or several checkpoints one after the other."""

from pathlib import Path
from typing import Any

from discobench.attempts import tried
from discobench.device import device
from discobench.errors import about
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


def main(data: Path, checkpoint: Path, out: Path, cell: list[str], training: dict[str, Any], j: Any) -> None:
    p, gpus, seed = j.params, j.resources.gpu, int(j.wildcards.seed)
    task, base = find(cell[0]), read_manifest(checkpoint)
    splits = (read_parquet(beside(data, f"{split}.parquet"), task.schema) for split in ("train", "valid"))
    train, valid = ([task.example(record) for record in records] for records in splits)
    settings = Settings(task.formulation, training["max_length"], task.forms, *task.languages)
    same = {"data": sha256(data), "base": sha256(checkpoint), "training": training, "seed": seed}
    state = state_folder(Path(p.state), version=p.version, **same)
    model, place = family(base["family"]), device(gpus)
    run = Run(model, checkpoint.parent, settings, training, seed, p.precision, place, state, out, gpus)
    with tried(state, j.resources):
        facts = finetune(run, train, valid) | {key: base.get(key) for key in ORIGIN}
    write_manifest(out, task=task.name, row=cell[1], base=same["base"], **facts)


if __name__ == "__main__":
    with job(globals()) as j:
        inputs, p = (j.input.data, j.input.checkpoint, j.output.model), j.params
        cells = zip(*inputs, p.cells, p.training, strict=True)
        for data, checkpoint, model, cell, training in cells:
            with about(f"task {cell[0]}"):
                main(data, checkpoint, model.parent, cell, training, j)
