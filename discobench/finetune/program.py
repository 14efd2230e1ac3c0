"""Fine-tuning as a program for the trainer: random access to batches, loss, validation."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from discobench import ranks
from discobench.batching import shared, sorted_batches, training_batches
from discobench.finetune.shelf import shelved
from discobench.finetune.validation import Answers
from discobench.formulations import Example
from discobench.models.base import Learner
from discobench.trainer import Part, Plan

VALIDATION_TOKENS = 4096
WHOLES = {
    "answers in no window": "answers",
    "labels cut off": "labels",
    "passages cut": "examples",
    "passages in windows": "examples",
    "sources cut": "examples",
    "targets cut": "examples",
}
"""What learners count as lost or cut, and what it is a part of."""
VALIDATIONS = 10
"""Validations of one run."""


class Batches:
    """The batches of every epoch in one line, so that a step needs no replay of those before it."""

    def __init__(self, lengths: Sequence[int], size: int, unit: str, seed: int) -> None:
        self._make: Callable[[int], list[list[int]]] = lambda epoch: training_batches(lengths, size, unit, seed, epoch)
        # Of sequences each epoch has as many; to make 40 epochs of 2.2 million only to count them takes minutes.
        self._count: Callable[[int], int] = lambda epoch: (
            math.ceil(len(lengths) / size) if unit == "sequences" else len(self._make(epoch))
        )
        self._ends: list[int] = []
        self._held: tuple[int, list[list[int]]] = (-1, [])

    def epochs(self, count: int) -> int:
        """Steps of ``count`` epochs."""
        while len(self._ends) < count:
            self._extend()
        return self._ends[count - 1]

    def at(self, step: int) -> list[int]:
        """Indices of the batch of ``step``, counted from 0."""
        while not self._ends or step >= self._ends[-1]:
            self._extend()
        epoch = next(n for n, end in enumerate(self._ends) if step < end)
        if self._held[0] != epoch:
            self._held = (epoch, self._make(epoch))
        batches = self._held[1]
        return batches[step - self._ends[epoch] + len(batches)]

    def _extend(self) -> None:
        """Batches by tokens may differ in number from epoch to epoch."""
        self._ends.append((self._ends[-1] if self._ends else 0) + self._count(len(self._ends)))


class FineTuning:
    """A learner with its encoded training and validation examples; the former lie in ``folder``, if there is one."""

    def __init__(
        self,
        learner: Learner,
        train: Iterable[Example],
        valid: Iterable[Example],
        training: Mapping[str, Any],
        seed: int,
        answers: Answers | None = None,
        folder: Path | None = None,
    ) -> None:
        self.answers = answers
        self.learner, self.model = learner, learner.model
        if ranks.rank():
            ranks.meet()  # the first one writes
        self.train = shelved(learner, train, folder and folder / "train.arrow")
        if not ranks.rank():
            ranks.meet()
        self.facts = with_shares(self.train.facts)
        self.valid = [learner.encode(example) for example in valid]
        self._batches = Batches(self.train.lengths, training["batch_size"], training["batch_unit"], seed)
        self._part_tokens: int | None = training.get("part_tokens")
        self.steps = training["steps"] or self._batches.epochs(training["epochs"])

    def batch(self, step: int) -> list[Any]:
        """The encoded examples of a step."""
        return [self.train[i] for i in self._batches.at(step)]

    def parts(self, batch: list[Any], least: int = 1) -> list[Part]:
        """The batch, cut by ``part_tokens``, in at least as many parts as there are processes to learn from it."""
        weights = [self.learner.weight(item) for item in batch]
        groups, total = shared(self._groups(batch), least), sum(weights) or 1.0
        return [self._part(batch, group, sum(weights[i] for i in group) / total) for group in groups]

    def _groups(self, batch: list[Any]) -> list[list[int]]:
        """Indices of what is learned from at a time; an example longer than ``part_tokens`` stands alone."""
        if self._part_tokens is None:
            return [list(range(len(batch)))]
        return sorted_batches([self.learner.length(item) for item in batch], self._part_tokens)

    def _part(self, batch: list[Any], group: list[int], weight: float) -> Part:
        items = [batch[i] for i in group]
        lengths = [self.learner.length(item) for item in items]
        return Part(items, weight, sum(lengths), sum(n * n for n in lengths) / max(1, sum(lengths)))

    def loss(self, batch: Any) -> Tensor:
        """The learner's loss."""
        return self.learner.loss(batch)

    def evaluate(self) -> dict[str, float] | None:
        """Mean validation loss over examples, and what answers are worth where they count; None without any."""
        if not self.valid:
            return None
        return {"loss": self._validation_loss()} | (self.answers.measured(self.learner) if self.answers else {})

    def _validation_loss(self) -> float:
        lengths = [self.learner.length(item) for item in self.valid]
        batches = [[self.valid[i] for i in batch] for batch in sorted_batches(lengths, VALIDATION_TOKENS)]
        return sum(self.learner.loss(batch).item() * len(batch) for batch in batches) / len(self.valid)


def with_shares(counts: Mapping[str, float]) -> dict[str, float]:
    """The counts of a learner with what was lost or cut as shares of what there was."""
    parts = {
        name: counts[name] / counts[whole] for name, whole in WHOLES.items() if counts.get(whole) and name in counts
    }
    return {**counts, **{f"share of {WHOLES[name]}: {name}": round(share, 6) for name, share in parts.items()}}


def plan(training: Mapping[str, Any], steps: int, seed: int, precision: str) -> Plan:
    """The trainer's plan for ``training`` (the fields of config.training.Tuning)."""
    return Plan(
        steps=steps,
        learning_rate=training["learning_rate"],
        warmup=training["warmup"],
        schedule=training["schedule"],
        betas=tuple(training["betas"]),
        weight_decay=training["weight_decay"],
        clip=training["clip"],
        save_every=training["save_every"],
        evaluate_every=math.ceil(steps / VALIDATIONS),
        seed=seed,
        precision=precision,
        keep_best=training["keep_best"],
        recompute=training.get("recompute", False),
        compile=training.get("compile", False),
        best_by=training.get("best_by", "loss"),
    )
