"""Training that survives: killed anywhere, the same call continues and ends with the same weights.

Why not a ready-made trainer: resuming in mid-epoch must give the same bits (order of data, dropout,
optimizer), and importing this costs nothing. All randomness of a step follows from (seed, step),
batches are random access by step, the rate is a function of the step: a checkpoint is weights,
optimizer and a few numbers (see ``discobench/checkpoints.py``).
"""

import hashlib
import logging
import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from discobench import checkpoints, ranks
from discobench.checkpoints import Progress
from discobench.curves import Curves, drawn
from discobench.errors import DiscoError
from discobench.files import fingerprint, write_json
from discobench.speed import Speed, peak, work
from discobench.termination import TERMINATED, on_termination

POINTS = 200
"""Points of the loss curve that is kept."""


@dataclass(frozen=True)
class Plan:
    """Hyper-parameters of one training run; rates per step, ``*_every`` in steps.

    ``best_by`` is what evaluations are compared by: one of the names under which the program measures.
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


@dataclass(frozen=True)
class Part:
    """A piece of a batch that fits into memory; weights of a batch's parts sum to one.

    ``attended`` is the number of tokens that a token attends to, on average.
    """

    batch: Any
    weight: float = 1.0
    tokens: int = 0
    attended: float = 0.0


class Program(Protocol):
    """What is trained. ``batch`` must depend on ``step`` alone."""

    model: nn.Module

    def batch(self, step: int) -> Any:
        """The batch of a step, counted from 0."""

    def loss(self, batch: Any) -> Tensor:
        """Mean loss of a batch (or of a part's), with gradient."""

    def evaluate(self) -> Mapping[str, float] | None:
        """``loss`` and whatever else is measured, of which more is better; None where there is no validation set."""


@runtime_checkable
class Parted(Protocol):
    """A program whose batches are cut into parts, and whose tokens are counted."""

    def parts(self, batch: Any, least: int = 1) -> Sequence[Part]:
        """The parts of a batch, at least ``least`` where it has so many items; their gradients add up."""


@dataclass(frozen=True)
class Outcome:
    """How training went: mean losses along the way as (step, loss), and what the best evaluation measured."""

    steps: int
    losses: list[tuple[int, float]]
    best_step: int | None
    best: dict[str, float] | None


def state_folder(parent: Path | str, **identity: Any) -> Path:
    """The folder of the run that ``identity`` describes: other data or settings, other folder.

    ``identity`` is JSON: hashes of input manifests, hyper-parameters, the stage's VERSION.
    """
    folder = Path(parent) / fingerprint(identity)
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


def train(program: Program, plan: Plan, state: Path, device: torch.device, curves: Path | None = None) -> Outcome:
    """Train ``program`` up to ``plan.steps``, continuing from ``state`` where it has checkpoints.

    On return ``program.model`` has the final weights, or with ``keep_best`` those of the best
    evaluation. SIGTERM saves and exits with 143. Raises DiscoError when another process trains
    in ``state`` or when the loss is not a finite number. Among ranks only the first reads and writes
    evaluations and checkpoints; only its ``program`` may be used afterwards. ``curves`` is a folder for
    TensorBoard.
    """
    program.model.to(device)
    torch.use_deterministic_algorithms(device.type == "cpu", warn_only=True)
    prepare(program.model, plan)
    asked: list[int] = []
    with nullcontext() if ranks.rank() else checkpoints.held(state), on_termination(lambda: asked.append(1)):
        run = _Run(program, plan, state, device)
        run.resume()
        with drawn(None if ranks.rank() else curves, run.progress.step) as run.curves:
            while run.progress.step < plan.steps:
                run.advance()
                if any(ranks.summed([len(asked)], device)) and run.progress.step < plan.steps:
                    run.save()
                    logging.info("terminated at step %d; the same command continues from here", run.progress.step)
                    raise SystemExit(TERMINATED)
        return run.finish()


def prepare(model: nn.Module, plan: Plan) -> None:
    """Recompute activations and compile where the plan says so, in the pretrained models within ``model``."""
    within = [m for m in model.modules() if hasattr(m, "activation_checkpointing_enable")]
    inner = {id(part) for m in within for part in m.modules() if part is not m}
    for outermost in (m for m in within if id(m) not in inner):
        if plan.recompute:
            outermost.activation_checkpointing_enable({"use_reentrant": False})  # type: ignore[operator]
        if plan.compile:
            outermost.compile(dynamic=True)


class _Run:
    def __init__(self, program: Program, plan: Plan, state: Path, device: torch.device) -> None:
        self.program, self.plan, self.state, self.device = program, plan, state, device
        self.model = program.model
        self.optimizer = _optimizer(self.model, plan, device)
        self.progress = Progress()
        self.every = max(1, plan.steps // POINTS)
        self.curves = Curves()
        most = peak(device)
        self.speed = Speed(plan.steps, work(self.model), most and most * ranks.world())

    def resume(self) -> None:
        # Rank 0 first: it removes what is broken.
        for turn in range(min(2, ranks.world())):
            if min(1, ranks.rank()) == turn:
                self._load()
            ranks.meet()

    def _load(self) -> None:
        self.progress = checkpoints.load(self.state, self.model, self.optimizer) or Progress()
        if self.progress.step:
            logging.info("continuing from step %d of %d", self.progress.step, self.plan.steps)

    def advance(self) -> None:
        """One step, with the evaluation and the checkpoint that are due after it."""
        loss, tokens, attended = self._step(self.progress.step)
        self.progress.add(loss, self.every)
        if ranks.rank():
            return
        self._draw(self.speed.tell(self.progress.step, loss, int(tokens), attended) or {})
        last = self.progress.step == self.plan.steps
        if last or self.progress.step % self.plan.evaluate_every == 0:
            self._evaluate()
        if last or self.progress.step % self.plan.save_every == 0:
            self.save()

    def _draw(self, figures: Mapping[str, float]) -> None:
        """Speed where it was measured, loss and rate where the curve has a point."""
        step = self.progress.step
        self.curves.add(step, {f"speed/{name}": value for name, value in figures.items() if name != "loss"})
        if step % self.every == 0:
            self.curves.add(step, {"loss/train": self.progress.losses[-1][1], "rate": rate(self.plan, step - 1)})

    def _step(self, step: int) -> tuple[float, float, float]:
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.plan, step)
        self.optimizer.zero_grad(set_to_none=True)
        found = self._backward(step)
        ranks.add_gradients(self.model.parameters())
        nn.utils.clip_grad_norm_(self.model.parameters(), self.plan.clip)
        self.optimizer.step()
        return found

    def _backward(self, step: int) -> tuple[float, float, float]:
        """Loss, tokens and mean tokens attended to of the whole batch, this rank's gradients in place."""
        total, tokens, attended = 0.0, 0, 0.0
        for number, part in self._parts(step):
            torch.manual_seed(_step_seed(self.plan.seed, step, number))
            with self._precision():
                loss = self.program.loss(part.batch) * part.weight
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
            tokens, attended = tokens + part.tokens, attended + part.tokens * part.attended
        total, seen, attended = ranks.summed([total, tokens, attended], self.device)
        if not math.isfinite(total):
            raise DiscoError(f"the loss of step {step} is {total}; lower learning_rate or raise warmup.")
        return total, seen, attended / max(1.0, seen)

    def _parts(self, step: int) -> list[tuple[int, Part]]:
        """The parts of a batch that are this rank's, numbered through the batch: noise must not depend on ranks."""
        batch = self.program.batch(step)
        parted = isinstance(self.program, Parted)
        parts = self.program.parts(batch, ranks.world()) if parted else [Part(batch)]  # type: ignore[attr-defined]
        return list(enumerate(parts))[ranks.rank() :: ranks.world()]

    def _precision(self) -> torch.autocast:
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.plan.precision == "bf16")

    def _evaluate(self) -> None:
        torch.manual_seed(_step_seed(self.plan.seed, self.progress.step))
        self.model.eval()
        with torch.no_grad(), self._precision():
            found = self.program.evaluate()
        if found is None:
            return
        told = ", ".join(f"{name} {value:.4f}" for name, value in found.items())
        logging.info("step %d: validation %s", self.progress.step, told)
        self.curves.add(self.progress.step, {f"{name}/validation": value for name, value in found.items()})
        if self.progress.improves(found, self.plan.best_by) and self.plan.keep_best:
            checkpoints.save_best(self.state, self.model, self.progress)

    def save(self) -> None:
        if ranks.rank():
            return
        checkpoints.save(self.state, self.model, self.optimizer, self.progress)

    def finish(self) -> Outcome:
        progress = self.progress
        if progress.best_sha256 and not ranks.rank():
            checkpoints.load_best(self.state, self.model, progress)
        self.model.eval()
        return Outcome(progress.step, progress.curve(), progress.best_step, progress.best)


def _optimizer(model: nn.Module, plan: Plan, device: torch.device) -> torch.optim.Optimizer:
    """AdamW without decay of biases and norms, which have one dimension."""
    weights = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in weights if p.ndim > 1], "weight_decay": plan.weight_decay},
        {"params": [p for p in weights if p.ndim <= 1], "weight_decay": 0.0},
    ]
    used, fused = [g for g in groups if g["params"]], device.type == "cuda"
    return torch.optim.AdamW(used, lr=plan.learning_rate, betas=plan.betas, fused=fused)


def _step_seed(seed: int, step: int, part: int = 0) -> int:
    name = f"{seed}:{step}:{part}" if part else f"{seed}:{step}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 1
