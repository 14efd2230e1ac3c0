"""Fine-tune a checkpoint for a task, or several checkpoints one after the other."""

from typing import Any

from discobench.attempts import tried
from discobench.device import device
from discobench.errors import about
from discobench.files import sha256
from discobench.finetune.grid import search
from discobench.finetune.run import ORIGIN, Run, settings, splits
from discobench.finetune.validation import answers
from discobench.models import family
from discobench.models.store import read_manifest, write_manifest
from discobench.tasks import task as find
from discobench.trainer import state_folder
from scripts.job import job


def main(j: Any, n: int) -> None:
    p, data, checkpoint, out = j.params, j.input.data[n], j.input.checkpoint[n], j.output.model[n].parent
    (name, row), training, seed, gpus = p.cells[n], p.training[n], int(j.wildcards.seed), j.resources.gpu
    task, base = find(name), read_manifest(checkpoint)
    train, valid = splits(task, data)
    same = {"data": sha256(data), "base": sha256(checkpoint), "training": training, "seed": seed}
    how = {"precision": p.precision, "answering": p.answering[n]}
    state = state_folder(p.state, version=p.version, **how, **same)
    by = answers(task, valid, training, p.answering[n], seed)
    places = (device(gpus * j.resources.cuda), state, out, gpus, by, j.log.with_suffix(".curves") / name)
    run = Run(family(base["family"]), checkpoint.parent, settings(task, training), training, seed, p.precision, *places)
    with tried(state, j.resources, j.log):
        facts = search(run, p.grid[n], *([task.example(record) for record in split] for split in (train, valid)))
    write_manifest(out, task=name, row=row, base=same["base"], **facts, **{key: base.get(key) for key in ORIGIN})


if __name__ == "__main__":
    with job(globals()) as j:
        for n, (name, _) in enumerate(j.params.cells):
            with about(f"task {name}"):
                main(j, n)
