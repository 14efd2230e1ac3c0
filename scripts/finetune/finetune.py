"""Fine-tune a checkpoint for a task, or several checkpoints one after the other."""

from typing import Any

from discobench.attempts import tried
from discobench.device import device
from discobench.errors import about
from discobench.files import sha256
from discobench.finetune.grid import search
from discobench.finetune.run import ORIGIN, Run
from discobench.models import family
from discobench.models.base import Settings
from discobench.models.store import read_manifest, write_manifest
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from discobench.trainer import state_folder
from scripts.job import job


def main(j: Any, n: int) -> None:
    p, data, checkpoint, out = j.params, j.input.data[n], j.input.checkpoint[n], j.output.model[n].parent
    (name, row), training, seed, gpus = p.cells[n], p.training[n], int(j.wildcards.seed), j.resources.gpu
    task, base = find(name), read_manifest(checkpoint)
    splits = (read_parquet(beside(data, f"{split}.parquet"), task.schema) for split in ("train", "valid"))
    train, valid = ([task.example(record) for record in records] for records in splits)
    settings = Settings(task.formulation, training["max_length"], task.forms, *task.languages)
    same = {"data": sha256(data), "base": sha256(checkpoint), "training": training, "seed": seed}
    places = (device(gpus * j.resources.cuda), state_folder(p.state, version=p.version, **same), out, gpus)
    run = Run(family(base["family"]), checkpoint.parent, settings, training, seed, p.precision, *places)
    with tried(run.state, j.resources):
        facts = search(run, p.grid[n], train, valid) | {key: base.get(key) for key in ORIGIN}
    write_manifest(out, task=name, row=row, base=same["base"], **facts)


if __name__ == "__main__":
    with job(globals()) as j:
        for n, (task, _) in enumerate(j.params.cells):
            with about(f"task {task}"):
                main(j, n)
