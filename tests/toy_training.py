"""A small training run as a program of its own, so that tests can kill it.

``python tests/toy_training.py STATE OUT STEPS [SIGNAL STEP]`` writes the final weights' sha256.
"""

import hashlib
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from discobench.trainer import Outcome, Plan, state_folder, train

PLAN = {
    "learning_rate": 0.01,
    "warmup": 3,
    "schedule": "linear",
    "betas": (0.9, 0.98),
    "weight_decay": 0.01,
    "clip": 1.0,
    "save_every": 4,
    "evaluate_every": 5,
    "seed": 7,
    "precision": "fp32",
}


@dataclass
class Toy:
    """Learns whether numbers sum to more than nothing; dropout makes it need its random state."""

    model: nn.Module
    kill_at: int | None = None
    kill_by: int = signal.SIGTERM
    values: tuple[float, ...] | None = ()

    def batch(self, step: int) -> Tensor:
        if step == self.kill_at:
            os.kill(os.getpid(), self.kill_by)
        return torch.randn(16, 8, generator=torch.Generator().manual_seed(step))

    def loss(self, batch: Tensor) -> Tensor:
        target = (batch.sum(-1) > 0).float()
        return nn.functional.binary_cross_entropy_with_logits(self.model(batch).squeeze(-1), target)

    def evaluate(self) -> dict[str, float] | None:
        if self.values is None:
            return None
        return {"loss": float(self.loss(torch.randn(64, 8, generator=torch.Generator().manual_seed(999))))}


def model() -> nn.Module:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(8, 32), nn.Dropout(0.2), nn.Tanh(), nn.Linear(32, 1))


def digest(trained: nn.Module) -> str:
    """sha256 of all weights."""
    total = hashlib.sha256()
    for name, tensor in sorted(trained.state_dict().items()):
        total.update(name.encode() + tensor.cpu().numpy().tobytes())
    return total.hexdigest()


def run(toy: Toy, state: Path, steps: int, **changes: object) -> Outcome:
    plan = Plan(steps=steps, **({"keep_best": False} | PLAN | changes))  # type: ignore[arg-type]
    return train(toy, plan, state_folder(state, steps=steps), torch.device("cpu"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    arguments = sys.argv[1:]
    toy = Toy(model())
    if len(arguments) > 3:
        toy.kill_by, toy.kill_at = int(getattr(signal, arguments[3])), int(arguments[4])
    run(toy, Path(arguments[0]), int(arguments[2]))
    Path(arguments[1]).write_text(digest(toy.model), encoding="utf-8", newline="\n")
