"""Continued pretraining (paper 5.2): a checkpoint, a packed corpus and an objective, for the trainer."""

import logging
import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from discobench import ranks
from discobench.batching import shared, trimmed
from discobench.errors import DiscoError
from discobench.models.base import Settings
from discobench.models.learners.codec import Codec
from discobench.models.learners.loading import pretrained, tokenizer_of
from discobench.models.learners.tokens import device_of
from discobench.models.store import check_checkpoint
from discobench.pretrain.objectives import HEADS, ROOM, Hiding, Restoration, Vocabulary, model_class, objective
from discobench.pretrain.rows import Rows, picks, rows
from discobench.pretrain.sampler import Sampler
from discobench.pretrain.stream import Stream
from discobench.speed import Operations
from discobench.trainer import Outcome, Part, Plan, train

LEAST_PART = 8
"""What part of the largest part of a batch is too small to be made smaller for the sake of padding."""
WASTE = 0.01
"""Share of a part that may be padding, noise left out: the encoder of a denoiser has rows of uneven length too."""
MOST_NATS = 700.0
"""Above it the exponential is no finite number."""


@dataclass(frozen=True)
class Task:
    """What to pretrain, on what.

    ``packed`` is the manifest of the corpus; ``languages`` and ``weights`` are by genre;
    ``mask_share`` is of words, ``mean_span`` in words; with ``mixed`` documents share rows. ``training`` has the keys
    of the configuration's ``training``. A part of a batch has at most ``part_tokens`` padded tokens; loss is measured
    on at most ``held_out`` chunks of the validation works.
    """

    family: str
    base: Path
    packed: Path
    languages: dict[str, str]
    weights: dict[str, float]
    mask_share: float
    training: dict[str, Any]
    mean_span: float = 3.0
    mixed: bool = False
    part_tokens: int = 16_384
    held_out: int = 256


def plan_of(training: dict[str, Any], seed: int, precision: str, sharding: str = "none") -> Plan:
    """The trainer's plan; evaluates as often as it saves. Raises DiscoError without ``steps``."""
    if training["steps"] is None:
        raise DiscoError("pretrain.<checkpoint>.training.steps is missing; pretraining counts steps, not epochs.")
    shared = ("steps", "learning_rate", "warmup", "schedule", "weight_decay", "clip", "save_every", "keep_best")
    made = {name: training.get(name, False) for name in ("recompute", "compile")}
    chosen = {name: training[name] for name in shared}
    beta1, beta2 = training["betas"]
    every = training["save_every"]
    return Plan(
        **chosen, **made, betas=(beta1, beta2), evaluate_every=every, seed=seed, precision=precision, sharding=sharding
    )


class Pretraining:
    """Satisfies the trainer's ``Shared``."""

    def __init__(self, task: Task, seed: int) -> None:
        training = task.training
        check_checkpoint(task.base, training["max_length"])
        settings = Settings("text", training["max_length"], options={"dropout": training["dropout"]})
        self.model: nn.Module = pretrained(model_class(task.family), task.base, settings, seed)
        picks(self._head(task.family))
        self.operations = Operations(self.model)
        codec = Codec(tokenizer_of(task.base))
        self.task, self.seed = task, seed
        start = getattr(self.model.config, "decoder_start_token_id", None)
        vocabulary = Vocabulary(codec, start, task.languages)
        self.pad = codec.pad
        self.objective = objective(task.family, vocabulary, Hiding(task.mask_share, task.mean_span))
        room, separator = training["max_length"] - ROOM, vocabulary.end if task.mixed else None
        self.stream = Stream(task.packed, "train", room, separator)
        self.sampler = Sampler(self.stream, task.weights, training["batch_size"], training["batch_unit"], seed)
        self.held_out = self._held_out(Stream(task.packed, "valid", room, separator))

    def _head(self, family: str) -> nn.Module:
        return getattr(self.model, HEADS.get(family, "lm_head"))  # type: ignore[no-any-return]

    def share(self, step: int, rank: int, world: int) -> list[tuple[int, Part]]:
        """The parts of a step's batch that one of ``world`` processes learns from, of which no other reads anything.

        Sequences of similar length are together. Chunks and noise follow from the seed and the number of a draw.
        Weights are numbers of predicted tokens. All processes have equally many parts: one that lacks a last part gets
        its first again, without weight.
        """
        draws = self.sampler.draws(step)
        chunks = self.sampler.chunks(draws)
        groups = shared(self._groups(self.stream.lengths(chunks)), world)
        own = list(range(rank, len(groups), world))
        parts = [(n, self._part([(int(chunks[i]), draws[i]) for i in groups[n]])) for n in own]
        if len(parts) < -(-len(groups) // world):
            number, spare = parts[0] if parts else (0, self._part([(int(chunks[0]), draws[0])]))
            parts.append((number, replace(spare, weight=0.0, tokens=0, work=(0.0, 0.0))))
        return parts

    def _groups(self, lengths: Any) -> list[list[int]]:
        most = self.task.part_tokens
        return trimmed(lengths.tolist(), most, most // LEAST_PART, WASTE)

    def _part(self, drawn: Sequence[tuple[int, int]]) -> Part:
        made = [self._restored(self.stream, chunk, draw, 1) for chunk, draw in drawn]
        found = self._rows(made)
        return Part(found, len(found.targets), sum(found.lengths[0]), work=self.operations.of(*found.lengths))

    def _restored(self, stream: Stream, chunk: int, *noise: int) -> Restoration:
        return self.objective(stream.chunk(chunk), np.random.default_rng([self.seed, *noise]))

    def _rows(self, items: Sequence[Restoration]) -> Rows:
        return rows(items, self.pad, self.task.family == "gpt2")

    def _held_out(self, stream: Stream) -> list[Rows]:
        """Chunks evenly spread over the validation works; the noise of a chunk follows from its index."""
        chosen = np.unique(np.linspace(0, len(stream) - 1, min(self.task.held_out, len(stream))).astype(int))
        items = [self._restored(stream, int(chunk), int(chunk), 2) for chunk in chosen]
        return [self._rows([items[i] for i in group]) for group in self._groups(stream.lengths(chosen))]

    def loss(self, batch: Rows) -> Tensor:
        """Mean cross entropy (nats) over what is to be predicted; 0 where that is nothing."""
        total, count = self._summed(batch)
        return total / max(1, count)

    def _summed(self, batch: Rows) -> tuple[Tensor, int]:
        found = batch.to(device_of(self.model))
        self._head(self.task.family).places = found.places
        logits = self.model(**found.inputs, use_cache=False).logits
        return nn.functional.cross_entropy(logits.float(), found.targets, reduction="sum"), len(found.targets)

    def evaluate(self) -> dict[str, float] | None:
        """Held-out loss and perplexity over the same chunks with the same noise each time; None without chunks."""
        if not self.held_out:
            return None
        found = [(total.item(), count) for total, count in map(self._summed, self.held_out)]
        loss = sum(total for total, _ in found) / max(1, sum(count for _, count in found))
        return {"loss": loss, "perplexity": perplexity(loss)}

    def padding(self, steps: int = 1) -> float:
        """Share of padding in the first batches."""
        found: list[tuple[int, int]] = [
            part.batch.tokens for step in range(steps) for _, part in self.share(step, 0, 1)
        ]
        return 1.0 - sum(real for real, _ in found) / max(1, sum(whole for _, whole in found))


def continue_pretraining(
    task: Task, plan: Plan, state: Path, device: torch.device, out: Path, curves: Path | None = None
) -> tuple[Outcome, dict[str, Any]]:
    """Train ``task``, write the checkpoint into ``out``; returns how it went and what the manifest says of it:

    ``losses``, and what was ``seen`` of each genre.

    ``curves`` is a folder for TensorBoard.
    """
    program = Pretraining(task, plan.seed)
    program.model.to(device)
    logging.info("padding %.1f %%, held-out chunks %d", 100 * program.padding(), len(program.held_out))
    first = not ranks.rank()
    before = measured(program, plan) if first else None
    outcome = train(program, plan, state, device, curves)
    if not first:
        return outcome, {}
    after = measured(program, plan)
    logging.info("held-out loss before %s, after %s", before, after)
    program.model.save_pretrained(out)  # type: ignore[operator]
    copy_tokenizer(task.base, out)
    losses = {"valid_before": before, "valid_after": after, "train": outcome.losses, "valid": outcome.evaluations}
    told = {f"perplexity_{when}": found and perplexity(found) for when, found in (("before", before), ("after", after))}
    return outcome, {"losses": losses | told, "seen": program.sampler.seen(outcome.steps)}


def perplexity(loss: float) -> float:
    """Of a mean loss in nats a predicted token: of hidden ones where the objective hides some."""
    return math.exp(min(loss, MOST_NATS))


def measured(program: Pretraining, plan: Plan) -> float | None:
    """Held-out loss without dropout, in the precision of the evaluations along the way."""
    program.model.eval()
    with torch.no_grad(), plan.autocast(device_of(program.model)):
        found = program.evaluate()
    return found["loss"] if found else None


def copy_tokenizer(base: Path, out: Path) -> None:
    """Copy what ``save_pretrained`` of a model does not write: every other file, byte by byte."""
    for path in sorted(base.iterdir()):
        if path.is_file() and path.name not in ("model.json", "config.json") and ".safetensors" not in path.name:
            shutil.copyfile(path, out / path.name)
