"""Continued pretraining as one job, in one process, in several of a node, or on several nodes.

``python -m discobench.pretrain.job SPEC`` is one of torchrun's processes.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from pydantic import TypeAdapter

from discobench import nodes, ranks
from discobench.files import write_text
from discobench.plan import Plan
from discobench.pretrain.program import Task, continue_pretraining


@dataclass(frozen=True)
class Job:
    """What to learn and how, the folder of its state, the device's type, and where the checkpoint and curves go."""

    task: Task
    plan: Plan
    state: Path
    device: str
    out: Path
    curves: Path


def learn(job: Job) -> dict[str, Any]:
    """What the manifest says of the training: its ``step``, ``losses`` and what was ``seen``; of the first process."""
    place = torch.device(job.device)
    outcome, facts = continue_pretraining(job.task, job.plan, job.state, place, job.out, job.curves)
    return {"step": outcome.steps, **facts}


def done(job: Job, on: int, processes: int) -> dict[str, Any]:
    """``learn`` in ``processes`` on each of ``on`` nodes."""
    if on == 1:
        found: dict[str, Any] = ranks.run(processes, torch.device(job.device), learn, job)
        return found
    spec = job.state / "job.json"
    write_text(spec, TypeAdapter(Job).dump_json(job).decode())
    told: dict[str, Any] = nodes.run(on, max(1, processes), torch.device(job.device), __name__, spec)
    return told


if __name__ == "__main__":
    where = Path(sys.argv[1])
    given = TypeAdapter(Job).validate_json(where.read_bytes())
    nodes.take_part(lambda: learn(given), where, torch.device(given.device))
