"""Training that survives: killed anywhere, the same call continues and ends with the same weights.

Why not a ready-made trainer: resuming in mid-epoch must give the same bits (order of data, dropout,
optimizer), and importing this costs nothing. All randomness of a step follows from (seed, step),
batches are random access by step, the rate is a function of the step: a checkpoint is weights,
optimizer and a few numbers (see ``discobench/checkpoints.py``).
"""

import logging
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from discobench import STARTED, checkpoints, ranks
from discobench.ahead import Ahead
from discobench.checkpoints import Progress
from discobench.curves import Curves, drawn
from discobench.errors import DiscoError
from discobench.files import fingerprint, write_json
from discobench.plan import Part, Parted, Plan, Program, Shared, Whole, optimizer, rate, step_seed
from discobench.speed import Speed, peak, work
from discobench.termination import TERMINATED, on_termination

__all__ = ["Outcome", "Part", "Plan", "Program", "rate", "state_folder", "train"]

POINTS = 200
"""Points of the loss curve that is kept."""


@dataclass(frozen=True)
class Outcome:
    """How training went.

    ``losses`` are means along the way as (step, loss); ``evaluations`` are all that was measured, each with its step;
    ``best`` is what was measured at ``best_step``, where it was best.
    """

    steps: int
    losses: list[tuple[int, float]]
    best_step: int | None
    best: dict[str, float] | None
    evaluations: list[dict[str, float]] = field(default_factory=list)


def state_folder(parent: Path | str, **identity: Any) -> Path:
    """The folder of the run that ``identity`` describes: other data or settings, other folder.

    ``identity`` is JSON: hashes of input manifests, hyper-parameters, the stage's VERSION.
    """
    folder = Path(parent) / fingerprint(identity)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "identity.json", identity)
    return folder


def train(program: Program, plan: Plan, state: Path, device: torch.device, curves: Path | None = None) -> Outcome:
    """Train ``program`` up to ``plan.steps``, continuing from ``state`` where it has checkpoints.

    On return ``program.model`` has the final weights, or with ``keep_best`` those of the best
    evaluation. SIGTERM saves, without an evaluation that is due or under way, and exits with 143; the next run
    evaluates first. Raises DiscoError when another process trains in ``state`` or when the loss is not a finite
    number. Among ranks only the first reads and writes evaluations and checkpoints; only its ``program`` may be used
    afterwards. ``curves`` is a folder for TensorBoard.
    """
    torch.use_deterministic_algorithms(device.type == "cpu", warn_only=True)
    prepare(program.model, plan)
    with nullcontext() if ranks.rank() else checkpoints.held(state):
        run = _Run(program, plan, state, device)
        with ExitStack() as stack:
            stack.enter_context(on_termination(run.asked))
            run.curves = stack.enter_context(drawn(None if ranks.rank() else curves, run.progress.step))
            stack.enter_context(run.ahead)
            run.catch_up()
            while run.progress.step < plan.steps:
                run.advance()
        return run.finish()


class _Interrupted(Exception):
    """SIGTERM came while nothing was under way that a checkpoint needs."""


def prepare(model: nn.Module, plan: Plan) -> None:
    """Recompute activations and compile where the plan says so, in the pretrained models within ``model``.

    Raises DiscoError where a model is to be compiled and shared out, which was tried nowhere.
    """
    if plan.compile and plan.sharding == "full":
        raise DiscoError("training.compile and sharding: full do not go together; set one of them to false or none.")
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
        self.every = max(1, plan.steps // POINTS)
        self.curves, self.ahead = Curves(), Ahead(self._share, plan.steps)
        self.terminated = self.evaluating = False
        most = peak(device)
        self.speed = Speed(plan.steps, most and most * ranks.world())
        self.work = work(program.model)
        self.progress, memory = self._resumed()
        self.model, self.shards = program.model, None
        if plan.sharding == "full" and ranks.world() > 1:
            from discobench.sharding import Shards  # what it imports takes most of a second

            self.shards = Shards(self.model, device)
        # What is written: of shared out weights the first rank alone keeps a whole.
        self.whole = self.shards.whole if self.shards else self.model.to(device)
        self.optimizer = optimizer(self.model, plan)
        if memory:
            memory = self.shards.scattered(memory, self.optimizer) if self.shards else memory
            self.optimizer.load_state_dict(memory)

    def _resumed(self) -> tuple[Progress, dict[str, Any] | None]:
        # Rank 0 first: it removes what is broken.
        found = None
        for turn in range(min(2, ranks.world())):
            if min(1, ranks.rank()) == turn:
                found = checkpoints.load(self.state, self.program.model)
            ranks.meet()
        if found:
            logging.info("continuing from step %d of %d", found[0].step, self.plan.steps)
        self.continued = found is not None
        return found or (Progress(), None)

    def _share(self, step: int) -> Sequence[tuple[int, Part]]:
        assert isinstance(self.program, Shared)
        return self.program.share(step, ranks.rank(), ranks.world())

    def asked(self) -> None:
        """SIGTERM came: save after this step, or at once where an evaluation is under way."""
        self.terminated = True
        if self.evaluating:
            self.evaluating = False
            raise _Interrupted

    def catch_up(self) -> None:
        """The evaluation that was due when the run before was ended."""
        if self._due(self.plan.evaluate_every) and self.progress.evaluated < self.progress.step:
            self._evaluate()
        self._stop_if_asked()

    def advance(self) -> None:
        """One step, with the checkpoint and the evaluation that are due after it."""
        loss, tokens, effort = self._step(self.progress.step)
        self.progress.add(loss, self.every)
        if self.continued:
            line = "the first step since then was done %.1f seconds after the process began"
            logging.info(line, time.monotonic() - STARTED)
            self.continued = False
        self._draw(self.speed.tell(self.progress.step, loss, int(tokens), effort) or {})
        self._stop_if_asked()
        if self._due(self.plan.evaluate_every):
            self._evaluate()
            self._stop_if_asked()
        if self._due(self.plan.save_every):
            self.save()

    def _due(self, every: int) -> bool:
        return self.progress.step > 0 and (self.progress.step == self.plan.steps or self.progress.step % every == 0)

    def _stop_if_asked(self) -> None:
        """Save and exit where any process was asked to; a run that is done comes to its end."""
        done = self.progress.step == self.progress.evaluated == self.plan.steps
        asked, finished = ranks.summed([self.terminated, done and not ranks.rank()], self.device)
        if not asked or finished:
            return
        self.save()
        logging.info("terminated at step %d; the same command continues from here", self.progress.step)
        raise SystemExit(TERMINATED)

    def _draw(self, figures: Mapping[str, float]) -> None:
        """Speed where it was measured, loss and rate where the curve has a point."""
        step = self.progress.step
        self.curves.add(step, {f"speed/{name}": value for name, value in figures.items() if name != "loss"})
        if step % self.every == 0:
            self.curves.add(step, {"loss/train": self.progress.losses[-1][1], "rate": rate(self.plan, step - 1)})

    def _step(self, step: int) -> tuple[float, float, tuple[float, float]]:
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.plan, step)
        self.optimizer.zero_grad(set_to_none=True)
        found = self._backward(step)
        if not self.shards:
            ranks.add_gradients(self.model.parameters())
        nn.utils.clip_grad_norm_(self.model.parameters(), self.plan.clip)
        self.optimizer.step()
        return found

    def _backward(self, step: int) -> tuple[float, float, tuple[float, float]]:
        """Loss, tokens and operations of the whole batch, this rank's gradients in place."""
        parts = self._parts(step)
        total, counts = torch.zeros((), dtype=torch.float64, device=self.device), [0.0, 0.0, 0.0]
        for number, part in parts:
            torch.manual_seed(step_seed(self.plan.seed, step, number))
            with self.plan.autocast(self.device):
                loss = self.program.loss(part.batch) * part.weight
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
            effort = part.work or self.work.of(part.tokens, part.attended)
            counts = [a + b for a, b in zip(counts, (part.tokens, *effort), strict=True)]
        total_loss, tokens, weights, attention = ranks.summed([total.item(), *counts], self.device)
        if not math.isfinite(total_loss):
            raise DiscoError(f"the loss of step {step} is {total_loss}; lower learning_rate or raise warmup.")
        return total_loss, tokens, (weights, attention)

    def _parts(self, step: int) -> Sequence[tuple[int, Part]]:
        """The parts of a batch that are this rank's, numbered through the batch: noise must not depend on ranks."""
        if isinstance(self.program, Shared):
            mine = self.ahead.take(step)
            (total,) = ranks.summed([sum(part.weight for _, part in mine)], self.device)
            return [(number, replace(part, weight=part.weight / (total or 1.0))) for number, part in mine]
        assert isinstance(self.program, Whole)
        batch = self.program.batch(step)
        parts = self.program.parts(batch, ranks.world()) if isinstance(self.program, Parted) else [Part(batch)]
        return list(enumerate(parts))[ranks.rank() :: ranks.world()]

    def _evaluate(self) -> None:
        if ranks.rank() and not self.shards:
            return
        torch.manual_seed(step_seed(self.plan.seed, self.progress.step))
        self.model.eval()
        found = self._measured()
        if found is None:
            return
        told = ", ".join(f"{name} {value:.4f}" for name, value in found.items())
        logging.info("step %d: validation %s", self.progress.step, told)
        self.curves.add(self.progress.step, {f"{name}/validation": value for name, value in found.items()})
        self.progress.evaluations.append({"step": self.progress.step, **found})
        if self.progress.improves(found, self.plan.best_by) and self.plan.keep_best:
            self._gather()
            if self.whole:
                checkpoints.save_best(self.state, self.whole, self.progress)

    def _measured(self) -> dict[str, float] | None:
        """An evaluation; None where there is none to be had, or where SIGTERM ended it."""
        try:
            found = self._undisturbed()
        except _Interrupted:
            return None
        self.progress.evaluated = self.progress.step
        if not found:
            return None
        values = [*found.values()]
        return dict(zip(found, ranks.of_first(values, self.device) if self.shards else values, strict=True))

    def _undisturbed(self) -> Mapping[str, float] | None:
        """An evaluation that SIGTERM ends, but where all ranks are needed for it."""
        self.evaluating = not self.shards
        if self.terminated and self.evaluating:
            raise _Interrupted
        try:
            with torch.no_grad(), self.plan.autocast(self.device):
                return self.program.evaluate()
        finally:
            self.evaluating = False

    def _gather(self) -> None:
        """Bring the parts of all ranks into the whole model of the first."""
        if self.shards:
            self.shards.gather()

    def save(self) -> None:
        """Write a checkpoint; where weights are shared out all ranks bring theirs."""
        if ranks.rank() and not self.shards:
            return
        self._gather()
        memory = self.shards.gathered(self.optimizer) if self.shards else self.optimizer.state_dict()
        if self.whole:
            checkpoints.save(self.state, self.whole, memory, self.progress)

    def finish(self) -> Outcome:
        """The model as it is to be used, on the first rank as a whole."""
        progress = self.progress
        if self.shards:
            self._gather()
            self.program.model = self.whole.to(self.device) if self.whole else self.model
        if progress.best_sha256 and not ranks.rank():
            checkpoints.load_best(self.state, self.program.model, progress)
        self.program.model.eval()
        return Outcome(progress.step, progress.curve(), progress.best_step, progress.best, progress.evaluations)
