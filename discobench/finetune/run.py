"""One fine-tuning run, from a checkpoint's folder and examples to a folder that decoding loads."""

import logging
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

import torch

from discobench import ranks
from discobench.errors import DiscoError
from discobench.finetune.program import FineTuning, plan
from discobench.finetune.validation import Answers
from discobench.formulations import Example, TextExample
from discobench.models.base import Family, Settings, Toolkit
from discobench.parquet import count_rows, iterate_parquet
from discobench.records import beside
from discobench.tasks.base import Task
from discobench.trainer import train as run_trainer

ORIGIN = ("checkpoint", "family", "language", "source", "revision")
"""What a fine-tuned model's manifest repeats of its checkpoint's."""
LEARNED_WITH = ("dropout", "empty_weight", "decoder_layers", "target_vocabulary")
"""Keys of a training that a learner is made with; what it saves has them in its weights."""


@dataclass(frozen=True)
class Run:
    """What is trained, how, and where: ``training`` has the fields of config.training.Tuning.

    ``answers`` are what checkpoints are compared by where that is not the loss. ``state`` is this run's
    own folder for what survives a kill; ``out`` is written anew. ``curves`` is a folder for TensorBoard. ``encoded`` is
    where encoded examples lie if that is not ``state``: trials of a grid share them.
    """

    family: Family
    checkpoint: Path
    settings: Settings
    training: Mapping[str, Any]
    seed: int
    precision: str
    device: torch.device
    state: Path
    out: Path
    gpus: int = 1
    answers: Answers | None = None
    curves: Path | None = None
    encoded: Path | None = None


class Examples(Protocol):
    """So many examples, which may be gone through more than once."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Example]: ...


class Stored:
    """The training examples of a task that was built, read anew each time that somebody goes through them."""

    def __init__(self, task: Task, manifest: Path) -> None:
        self.task, self.path = task, beside(manifest, "train.parquet")

    def __len__(self) -> int:
        return count_rows(self.path)

    def __iter__(self) -> Iterator[Example]:
        return map(self.task.example, iterate_parquet(self.path, self.task.schema))


def settings(task: Task, training: Mapping[str, Any]) -> Settings:
    """What a learner of ``task`` needs to know, of learning and of answering."""
    options = {"passages": training["passages"]} if task.formulation == "choice" else {}
    return Settings(task.formulation, training["max_length"], task.forms, *task.languages, options)


def finetune(run: Run, train: Examples, valid: Examples) -> dict[str, Any]:
    """Train and save; returns what ``model.json`` tells of it: step, losses, settings, facts."""
    if run.settings.formulation not in run.family.formulations:
        known = ", ".join(sorted(run.family.formulations))
        raise DiscoError(
            f"family {run.family.name!r} cannot learn {run.settings.formulation!r} tasks (it can: {known}); "
            "give the row another checkpoint for this task."
        )
    if not train:
        raise DiscoError("the task has no training examples; check its data or run.genres.")
    shutil.rmtree(run.out, ignore_errors=True)
    run.out.mkdir(parents=True)
    facts = _by_toolkit(run, train, valid) if isinstance(run.family, Toolkit) else _by_learners(run, train, valid)
    return facts | {"settings": asdict(run.settings), "training": dict(run.training), "seed": run.seed}


def _by_toolkit(run: Run, train: Examples, valid: Examples) -> dict[str, Any]:
    assert isinstance(run.family, Toolkit)
    wanted = SimpleNamespace(**run.training, seed=run.seed, precision=run.precision, curves=run.curves)
    return run.family.train(run.checkpoint, run.out, run.state, list(train), list(valid), wanted)


def _by_learners(run: Run, train: Examples, valid: Examples) -> dict[str, Any]:
    facts: dict[str, Any] = ranks.run(run.gpus, run.device, _by_learner, run, train, valid)
    return facts


def _by_learner(run: Run, train: Examples, valid: Examples) -> dict[str, Any]:
    learner = run.family.learner(run.checkpoint, _with_training(run, train), run.seed)
    program = FineTuning(learner, train, valid, run.training, run.seed, run.answers, run.encoded or run.state)
    logging.info("%d training and %d validation examples: %s", len(train), len(valid), program.facts)
    chosen = plan(run.training, program.steps, run.seed, run.precision)
    outcome = run_trainer(program, chosen, run.state, run.device, run.curves)
    if not ranks.rank():
        learner.save(run.out)
    return {
        "step": outcome.best_step or outcome.steps,
        "losses": {"curve": outcome.losses, "best_step": outcome.best_step, "best": outcome.best},
        "device": str(run.device),
        "facts": program.facts,
    }


def _with_training(run: Run, train: Examples) -> Settings:
    """The settings with what only training needs: keys of LEARNED_WITH, targets to learn a vocabulary from.

    Targets are read when somebody goes through them, which few learners do and no retry needs to.
    """
    options: dict[str, Any] = {name: run.training[name] for name in LEARNED_WITH if name in run.training}
    if run.settings.formulation == "text":
        options["targets"] = _targets(train)
    return replace(run.settings, options=run.settings.options | options)


def _targets(train: Examples) -> Iterator[str]:
    yield from (e.target for e in train if isinstance(e, TextExample) and e.target is not None)
