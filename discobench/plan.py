"""What a training run is: its hyper-parameters, what is trained, and in what parts a batch comes."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Plan:
    """Hyper-parameters of one training run; rates per step, ``*_every`` in steps.

    ``best_by`` is what evaluations are compared by: one of the names under which the program measures. With
    ``sharding`` ``full`` each process holds its part of weights and optimizer, else all of them.
    """

    steps: int
    learning_rate: float
    warmup: int
    schedule: str
    betas: tuple[float, float]
    weight_decay: float
    clip: float
    save_every: int
    evaluate_every: int
    seed: int
    precision: str
    keep_best: bool
    recompute: bool = False
    compile: bool = False
    best_by: str = "loss"
    sharding: str = "none"

    def autocast(self, device: torch.device) -> torch.autocast:
        """The precision that losses are computed in, learned from and measured."""
        return torch.autocast(device.type, torch.bfloat16, enabled=self.precision == "bf16")


@dataclass(frozen=True)
class Part:
    """A piece of a batch that fits into memory; weights of a batch's parts sum to one.

    ``attended`` is the number of tokens that a token attends to, on average; ``work`` is the operations of weights and
    of attention, where the program knows them better than by that.
    """

    batch: Any
    weight: float = 1.0
    tokens: int = 0
    attended: float = 0.0
    work: tuple[float, float] | None = None


class Program(Protocol):
    """What is trained: one of ``Whole`` and ``Shared`` too."""

    model: nn.Module

    def loss(self, batch: Any) -> Tensor:
        """Mean loss of a batch (or of a part's), with gradient."""

    def evaluate(self) -> Mapping[str, float] | None:
        """``loss`` and whatever else is measured, of which more is better; None where there is no validation set."""


@runtime_checkable
class Whole(Protocol):
    """A program that makes a batch as a whole, which must depend on ``step`` alone."""

    def batch(self, step: int) -> Any:
        """The batch of a step, counted from 0."""


@runtime_checkable
class Parted(Protocol):
    """A program whose batches are cut into parts, and whose tokens are counted."""

    def parts(self, batch: Any, least: int = 1) -> Sequence[Part]:
        """The parts of a batch, at least ``least`` where it has so many items; their gradients add up."""


@runtime_checkable
class Shared(Protocol):
    """A program of which each process makes its own parts of a batch, ahead of time and in a thread."""

    def share(self, step: int, rank: int, world: int) -> Sequence[tuple[int, Part]]:
        """Parts of a step's batch with their numbers in it, equally many for each of ``world`` processes.

        Weights count relative to the sum over all processes.
        """


def rate(plan: Plan, step: int) -> float:
    """Learning rate of ``step`` (from 0): linear warm-up, then ``plan.schedule``.

    ``linear`` falls to 0 at ``plan.steps``; ``inverse_sqrt`` is that of the Transformer
    (Vaswani et al. 2017, section 5.3) with its peak at ``learning_rate``; ``constant`` stays.
    """
    if step < plan.warmup:
        return plan.learning_rate * (step + 1) / plan.warmup
    if plan.schedule == "linear":
        return plan.learning_rate * (plan.steps - step) / max(1, plan.steps - plan.warmup)
    if plan.schedule == "inverse_sqrt":
        return plan.learning_rate * math.sqrt(max(1, plan.warmup) / (step + 1))
    return plan.learning_rate


def optimizer(model: nn.Module, plan: Plan) -> torch.optim.Optimizer:
    """AdamW without decay of biases and norms, which have one dimension."""
    weights = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in weights if p.ndim > 1], "weight_decay": plan.weight_decay},
        {"params": [p for p in weights if p.ndim <= 1], "weight_decay": 0.0},
    ]
    used = [g for g in groups if g["params"]]
    return torch.optim.AdamW(used, lr=plan.learning_rate, betas=plan.betas, fused=True)


def step_seed(seed: int, step: int, part: int = 0) -> int:
    """The seed of what is random in a part of a step, such as dropout."""
    name = f"{seed}:{step}:{part}" if part else f"{seed}:{step}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 1
