"""Continue pretraining of a checkpoint on the packed corpus."""

import logging
import shutil
from pathlib import Path
from typing import Any

from discobench.attempts import tried
from discobench.device import device
from discobench.files import sha256
from discobench.models.store import fresh_folder, size_line, write_manifest
from discobench.operations.given import gpus_of
from discobench.pretrain.job import Job, done
from discobench.pretrain.program import Task, plan_of
from discobench.trainer import state_folder
from scripts.job import job

SAME = ("version", "family", "training", "recipe", "languages", "seed", "precision")


def main(j: Any) -> None:
    p, t, nodes, count = j.params, j.params.training, j.resources.nodes, gpus_of(vars(j.resources))
    place = device(count * j.resources.cuda)
    same = {name: getattr(p, name) for name in SAME}
    state = state_folder(Path(p.state), inputs=[sha256(j.input.base), sha256(j.input.packed)], **same)
    task = Task(p.family, j.input.base.parent, j.input.packed, p.languages, training=t, **p.recipe)
    sharding = "full" if j.resources.sharded else "none"
    plan, folder = plan_of(t, p.seed, p.precision, sharding), fresh_folder(j.output.manifest.parent)
    with tried(state, j.resources, j.log):
        told = done(Job(task, plan, state, str(place), folder, j.log.with_suffix(".curves")), nodes, count)
    named = {"checkpoint": j.wildcards.checkpoint, "family": p.family, "language": p.language, "base": p.base}
    facts = {"seed": p.seed, "training": t, "recipe": p.recipe, "device": str(place)}
    manifest = write_manifest(folder, **named, **facts, **told, source=f"pretrain:{p.base}")
    logging.info("%s", size_line(manifest, p.printed))
    shutil.rmtree(state, ignore_errors=True)  # whoever clears the states of a run may do so meanwhile


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
