"""Continued pretraining (paper 5.2): a checkpoint, a packed corpus and an objective, for the trainer."""

import logging
import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from discobench import ranks
from discobench.batching import shared, sorted_batches
from discobench.errors import DiscoError
from discobench.models.base import Settings
from discobench.models.learners.codec import Codec
from discobench.models.learners.loading import pretrained, tokenizer_of
from discobench.models.learners.tokens import IGNORED, device_of, mask_of, padded
from discobench.models.store import check_checkpoint
from discobench.pretrain.objectives import ROOM, Objective, Restoration, Vocabulary, model_class, objective
from discobench.pretrain.stream import Sampler, Stream
from discobench.trainer import Outcome, Part, Plan, train

PART_TOKENS = 16_384
"""Padded tokens of a part of a batch: what a training GPU holds with any model of the paper."""
MOST_NATS = 700.0
"""Above it the exponential is no finite number."""
HELD_OUT = 256
"""Chunks of the validation works that held-out loss is measured on."""


@dataclass(frozen=True)
class Task:
    """What to pretrain, on what.

    ``packed`` is the manifest of the corpus; ``languages`` and ``weights`` are by genre;
    ``mask_share`` is of words; ``training`` has the keys of the configuration's ``training``.
    """

    family: str
    base: Path
    packed: Path
    languages: dict[str, str]
    weights: dict[str, float]
    mask_share: float
    training: dict[str, Any]


def plan_of(training: dict[str, Any], seed: int, precision: str) -> Plan:
    """The trainer's plan; evaluates as often as it saves. Raises DiscoError without ``steps``."""
    if training["steps"] is None:
        raise DiscoError("pretrain.<checkpoint>.training.steps is missing; pretraining counts steps, not epochs.")
    shared = ("steps", "learning_rate", "warmup", "schedule", "weight_decay", "clip", "save_every", "keep_best")
    made = {name: training.get(name, False) for name in ("recompute", "compile")}
    chosen = {name: training[name] for name in shared}
    beta1, beta2 = training["betas"]
    every = training["save_every"]
    return Plan(**chosen, **made, betas=(beta1, beta2), evaluate_every=every, seed=seed, precision=precision)


class Pretraining:
    """Satisfies the trainer's ``Program`` and ``Parted``."""

    def __init__(self, task: Task, seed: int) -> None:
        training = task.training
        check_checkpoint(task.base, training["max_length"])
        settings = Settings("text", training["max_length"], options={"dropout": training["dropout"]})
        self.model: nn.Module = pretrained(model_class(task.family), task.base, settings, seed)
        codec = Codec(tokenizer_of(task.base))
        self.pad, self.seed = codec.pad, seed
        start = getattr(self.model.config, "decoder_start_token_id", None)
        self.objective = objective(task.family, Vocabulary(codec, start, task.languages), task.mask_share)
        room = training["max_length"] - ROOM
        stream = Stream(task.packed, "train", room)
        self.sampler = Sampler(stream, task.weights, training["batch_size"], training["batch_unit"], seed)
        self.held_out = held_out(Stream(task.packed, "valid", room), self.objective, seed)

    def batch(self, step: int) -> list[Restoration]:
        """Restorations of a step; chunks and noise follow from (seed, step)."""
        rng = np.random.default_rng([self.seed, step, 1])
        return [self.objective(chunk, rng) for chunk in self.sampler.draw(step)]

    def parts(self, batch: Sequence[Restoration], least: int = 1) -> list[Part]:
        """Sequences of similar length together, weighted by what they have to predict."""
        total = max(1, sum(item.targets for item in batch))
        groups = shared(sorted_batches([item.length for item in batch], PART_TOKENS), least)
        return [_part([batch[i] for i in group], total) for group in groups]

    def loss(self, batch: Sequence[Restoration]) -> Tensor:
        """Mean cross entropy (nats) over what is to be predicted; 0 where that is nothing."""
        device = device_of(self.model)
        inputs = {"input_ids": padded([i.inputs.tolist() for i in batch], self.pad, device)}
        inputs["attention_mask"] = mask_of([i.inputs.tolist() for i in batch], device)
        if batch[0].decoder is not None:
            rows = [item.decoder.tolist() for item in batch if item.decoder is not None]
            inputs["decoder_input_ids"] = padded(rows, self.pad, device)
        logits = self.model(**inputs, use_cache=False).logits
        labels = padded([item.labels.tolist() for item in batch], IGNORED, device)
        flat = logits.float().flatten(0, 1)
        total = nn.functional.cross_entropy(flat, labels.flatten(), ignore_index=IGNORED, reduction="sum")
        return total / max(1, sum(item.targets for item in batch))

    def evaluate(self) -> dict[str, float] | None:
        """Held-out loss over the same chunks with the same noise each time; None without chunks."""
        if not self.held_out:
            return None
        parts = self.parts(self.held_out)
        return {"loss": float(sum(self.loss(part.batch).item() * part.weight for part in parts))}

    def padding(self) -> float:
        """Share of padding in the first batch, were each part as wide as its longest sequence."""
        groups = [part.batch for part in self.parts(self.batch(0))]
        widths = sum(len(group) * max(item.length for item in group) for group in groups)
        return 1 - float(sum(item.length for group in groups for item in group) / widths)


def _part(items: list[Restoration], total: int) -> Part:
    lengths = [len(item.inputs) for item in items]
    attended = sum(n * n for n in lengths) / max(1, sum(lengths))
    return Part(items, sum(item.targets for item in items) / total, sum(lengths), attended)


def held_out(stream: Stream, restore: Objective, seed: int) -> list[Restoration]:
    """At most HELD_OUT chunks, evenly spread; the noise of a chunk follows from its index."""
    indices = np.unique(np.linspace(0, len(stream) - 1, min(HELD_OUT, len(stream))).astype(int))
    return [restore(stream.chunk(int(i)), np.random.default_rng([seed, int(i), 2])) for i in indices]


def continue_pretraining(
    task: Task, plan: Plan, state: Path, device: torch.device, out: Path, curves: Path | None = None
) -> tuple[Outcome, dict[str, Any]]:
    """Train ``task``, write the checkpoint into ``out``; returns how it went and losses for the manifest.

    ``curves`` is a folder for TensorBoard.
    """
    program = Pretraining(task, plan.seed)
    program.model.to(device)
    logging.info("padding %.1f %%, held-out chunks %d", 100 * program.padding(), len(program.held_out))
    first = not ranks.rank()
    before = measured(program) if first else None
    outcome = train(program, plan, state, device, curves)
    if not first:
        return outcome, {}
    after = measured(program)
    logging.info("held-out loss before %s, after %s", before, after)
    program.model.save_pretrained(out)  # type: ignore[operator]
    copy_tokenizer(task.base, out)
    losses = {"valid_before": before, "valid_after": after, "train": outcome.losses}
    return outcome, losses | {"perplexity_before": perplexity(before), "perplexity_after": perplexity(after)}


def perplexity(loss: float | None) -> float | None:
    """Of a mean loss in nats a predicted token: of hidden ones where the objective hides some."""
    return None if loss is None else math.exp(min(loss, MOST_NATS))


def measured(program: Pretraining) -> float | None:
    """Held-out loss without dropout."""
    program.model.eval()
    with torch.no_grad():
        found = program.evaluate()
    return found["loss"] if found else None


def copy_tokenizer(base: Path, out: Path) -> None:
    """Copy what ``save_pretrained`` of a model does not write: every other file, byte by byte."""
    for path in sorted(base.iterdir()):
        if path.is_file() and path.name not in ("model.json", "config.json") and ".safetensors" not in path.name:
            shutil.copyfile(path, out / path.name)
