"""Training that survives: killed anywhere, the same call continues and ends with the same weights.

Why not a ready-made trainer: resuming in mid-epoch must give the same bits (order of data, dropout,
optimizer), and importing this costs nothing. All randomness of a step follows from (seed, step),
batches are random access by step, the rate is a function of the step: a checkpoint is weights,
optimizer and a few numbers (see ``discobench/checkpoints.py``).
"""

import hashlib
import logging
import math
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from discobench import checkpoints
from discobench.checkpoints import Progress
from discobench.errors import DiscoError
from discobench.files import fingerprint, write_json

SECONDS_BETWEEN_LINES = 10.0
POINTS = 200
"""Points of the loss curve that is kept."""
TERMINATED = 143
"""128 + SIGTERM: how a shell reports a terminated process."""


@dataclass(frozen=True)
class Plan:
    """Hyper-parameters of one training run; rates per step, ``*_every`` in steps."""

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


@dataclass(frozen=True)
class Part:
    """A piece of a batch that fits into memory; weights of a batch's parts sum to one."""

    batch: Any
    weight: float = 1.0
    tokens: int = 0


class Program(Protocol):
    """What is trained. ``batch`` must depend on ``step`` alone."""

    model: nn.Module

    def batch(self, step: int) -> Any:
        """The batch of a step, counted from 0."""

    def loss(self, batch: Any) -> Tensor:
        """Mean loss of a batch (or of a part's), with gradient."""

    def evaluate(self) -> float | None:
        """A value of which lower is better, or None where there is no validation set."""


@runtime_checkable
class Parted(Protocol):
    """A program whose batches are cut into parts, and whose tokens are counted."""

    def parts(self, batch: Any) -> Sequence[Part]:
        """The parts of a batch; their gradients add up."""


@dataclass(frozen=True)
class Outcome:
    """How training went: mean losses along the way as (step, loss), and the best evaluation."""

    steps: int
    losses: list[tuple[int, float]]
    best_step: int | None
    best_value: float | None


def state_folder(parent: Path, **identity: Any) -> Path:
    """The folder of the run that ``identity`` describes: other data or settings, other folder.

    ``identity`` is JSON: hashes of input manifests, hyper-parameters, the stage's VERSION.
    """
    folder = parent / fingerprint(identity)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "identity.json", identity)
    return folder


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


def train(program: Program, plan: Plan, state: Path, device: torch.device) -> Outcome:
    """Train ``program`` up to ``plan.steps``, continuing from ``state`` where it has checkpoints.

    On return ``program.model`` has the final weights, or with ``keep_best`` those of the best
    evaluation. SIGTERM saves and exits with 143. Raises DiscoError when another process trains
    in ``state`` or when the loss is not a finite number.
    """
    program.model.to(device)
    torch.use_deterministic_algorithms(device.type == "cpu", warn_only=True)
    with checkpoints.held(state), _termination() as asked:
        run = _Run(program, plan, state, device)
        run.resume()
        while run.progress.step < plan.steps:
            run.advance()
            if asked and run.progress.step < plan.steps:
                run.save()
                logging.info("terminated at step %d; the same command continues from here", run.progress.step)
                raise SystemExit(TERMINATED)
        return run.finish()


@contextmanager
def _termination() -> Iterator[list[int]]:
    """A list that is no longer empty once SIGTERM came."""
    asked: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    try:
        yield asked
    finally:
        signal.signal(signal.SIGTERM, before)


class _Run:
    def __init__(self, program: Program, plan: Plan, state: Path, device: torch.device) -> None:
        self.program, self.plan, self.state, self.device = program, plan, state, device
        self.model = program.model
        self.optimizer = _optimizer(self.model, plan)
        self.progress = Progress()
        self.every = max(1, plan.steps // POINTS)
        self.speed = Speed(plan.steps)

    def resume(self) -> None:
        self.progress = checkpoints.load(self.state, self.model, self.optimizer) or Progress()
        if self.progress.step:
            logging.info("continuing from step %d of %d", self.progress.step, self.plan.steps)

    def advance(self) -> None:
        """One step, with the evaluation and the checkpoint that are due after it."""
        loss, tokens = self._step(self.progress.step)
        self.progress.add(loss, self.every)
        self.speed.tell(self.progress.step, loss, tokens)
        last = self.progress.step == self.plan.steps
        if last or self.progress.step % self.plan.evaluate_every == 0:
            self._evaluate()
        if last or self.progress.step % self.plan.save_every == 0:
            self.save()

    def _step(self, step: int) -> tuple[float, int]:
        torch.manual_seed(_step_seed(self.plan.seed, step))
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.plan, step)
        self.optimizer.zero_grad(set_to_none=True)
        loss, tokens = self._backward(step)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.plan.clip)
        self.optimizer.step()
        return loss, tokens

    def _backward(self, step: int) -> tuple[float, int]:
        batch = self.program.batch(step)
        parts = self.program.parts(batch) if isinstance(self.program, Parted) else [Part(batch)]
        total = 0.0
        for part in parts:
            with self._precision():
                loss = self.program.loss(part.batch) * part.weight
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
        if not math.isfinite(total):
            raise DiscoError(f"the loss of step {step} is {total}; lower learning_rate or raise warmup.")
        return total, sum(part.tokens for part in parts)

    def _precision(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.plan.precision == "bf16")

    def _evaluate(self) -> None:
        torch.manual_seed(_step_seed(self.plan.seed, self.progress.step))
        self.model.eval()
        with torch.no_grad(), self._precision():
            value = self.program.evaluate()
        if value is None:
            return
        logging.info("step %d: validation %.4f", self.progress.step, value)
        if self.progress.improves(value) and self.plan.keep_best:
            checkpoints.save_best(self.state, self.model, self.progress)

    def save(self) -> None:
        checkpoints.save(self.state, self.model, self.optimizer, self.progress)

    def finish(self) -> Outcome:
        progress = self.progress
        if progress.best_sha256:
            checkpoints.load_best(self.state, self.model, progress)
        self.model.eval()
        return Outcome(progress.step, progress.curve(), progress.best_step, progress.best_value)


def _optimizer(model: nn.Module, plan: Plan) -> torch.optim.Optimizer:
    """AdamW without decay of biases and norms, which have one dimension."""
    weights = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in weights if p.ndim > 1], "weight_decay": plan.weight_decay},
        {"params": [p for p in weights if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW([g for g in groups if g["params"]], lr=plan.learning_rate, betas=plan.betas)


def _step_seed(seed: int, step: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}:{step}".encode()).digest()[:8], "big") >> 1


class Speed:
    """Tells step, loss, speed and time left, every few seconds."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.since = time.monotonic()
        self.done = self.tokens = 0

    def tell(self, step: int, loss: float, tokens: int) -> None:
        """Count a step; write a line when it is time for one or when it is the last."""
        self.done += 1
        self.tokens += tokens
        seconds = time.monotonic() - self.since
        if seconds < SECONDS_BETWEEN_LINES and step < self.steps:
            return
        pace = f"{self.tokens / seconds:.0f} tokens/s, " if self.tokens else ""
        left = (self.steps - step) * seconds / self.done
        line = "step %d/%d, loss %.4f, %s%.2f steps/s, %d:%02d:%02d left"
        clock = (int(left) // 3600, int(left) // 60 % 60, int(left) % 60)
        logging.info(line, step, self.steps, loss, pace, self.done / seconds, *clock)
        self.since, self.done, self.tokens = time.monotonic(), 0, 0
