"""Fine-tune a checkpoint for a task, or several checkpoints one after the other."""

from typing import Any

from discobench.attempts import tried
from discobench.device import device
from discobench.errors import about
from discobench.files import sha256
from discobench.finetune.grid import search
from discobench.finetune.run import ORIGIN, Run, Stored, settings
from discobench.finetune.validation import answers
from discobench.models import family
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
    train, valid = Stored(task, data), read_parquet(beside(data, "valid.parquet"), task.schema)
    same = {"data": sha256(data), "base": sha256(checkpoint), "training": training, "seed": seed}
    state = state_folder(p.state, version=p.version, precision=p.precision, answering=p.answering[n], row=row, **same)
    by, curves = answers(task, valid, training, p.answering[n], seed), j.log.with_suffix(".curves") / name
    places = (device(gpus * j.resources.cuda), state, out, gpus, by, curves)
    run = Run(family(base["family"]), checkpoint.parent, settings(task, training), training, seed, p.precision, *places)
    with tried(state, j.resources, j.log):
        facts = search(run, p.grid[n], train, [task.example(record) for record in valid])
    write_manifest(out, task=name, row=row, base=same["base"], **facts, **{key: base.get(key) for key in ORIGIN})


if __name__ == "__main__":
    with job(globals()) as j:
        for n, (name, _) in enumerate(j.params.cells):
            with about(f"task {name}"):
                main(j, n)
