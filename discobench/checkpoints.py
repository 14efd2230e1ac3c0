"""Checkpoints of a training run: each appears whole or not at all, and a broken one is noticed.

``<state>/step-<n>/`` holds ``model.safetensors``, ``optimizer.pt`` and ``progress.json`` (with the
sha256 of both); ``<state>/best-<n>/`` the weights of the best evaluation. The last two are kept.
"""

import logging
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout
from safetensors.torch import load_model, save_model
from torch import nn

from discobench.errors import DiscoError
from discobench.files import read_json, sha256, write_json
from discobench.owners import Owner, this_process

KEPT = 2
PATIENCE = 5.0
"""Seconds to wait for another process to let go of a state folder."""
WEIGHTS = "model.safetensors"
OPTIMIZER = "optimizer.pt"
PROGRESS = "progress.json"


@dataclass
class Progress:
    """How far a run is: steps done, its loss curve, its evaluations and the best of them so far.

    ``evaluated`` is the last step that was; ``best_sha256`` is the digest of the best weights where they are kept.
    """

    step: int = 0
    losses: list[list[float]] = field(default_factory=list)
    window: list[float] = field(default_factory=list)
    best_step: int | None = None
    best: dict[str, float] | None = None
    best_sha256: str | None = None
    evaluated: int = 0
    evaluations: list[dict[str, float]] = field(default_factory=list)

    def add(self, loss: float, every: int) -> None:
        """Count a step; every ``every`` steps a point joins the curve."""
        self.step += 1
        self.window.append(loss)
        if self.step % every == 0:
            self.losses.append([self.step, sum(self.window) / len(self.window)])
            self.window = []

    def curve(self) -> list[tuple[int, float]]:
        """(step, mean loss up to it since the point before)."""
        return [(int(step), loss) for step, loss in self.losses]

    def improves(self, found: Mapping[str, float], by: str) -> bool:
        """Whether an evaluation is the best so far; it is remembered then."""
        if self.best is not None and merit(found, by) <= merit(self.best, by):
            return False
        self.best_step, self.best = self.step, dict(found)
        return True


def merit(found: Mapping[str, float], by: str) -> tuple[float, float]:
    """What evaluations are ordered by, the best last: ``by``, of which only loss is better low; among equals loss.

    What is no number is worse than any.
    """
    loss = -math.inf if math.isnan(found["loss"]) else -found["loss"]
    return loss if by == "loss" else -math.inf if math.isnan(found[by]) else found[by], loss


@contextmanager
def held(state: Path) -> Iterator[None]:
    """Hold ``state`` for this process. The system frees the lock of a process that died.

    Raises DiscoError naming who holds it.
    """
    state.mkdir(parents=True, exist_ok=True)
    owner = state / "owner.json"
    try:
        with FileLock(state / "lock", timeout=PATIENCE):
            write_json(owner, asdict(this_process()))
            for leftover in state.glob(".writing-*"):
                shutil.rmtree(leftover)
            yield
    except Timeout as error:
        holder = Owner(**read_json(owner)) if owner.exists() else "another process"
        raise DiscoError(f"{state} is in use by {holder}; wait for it or end it.") from error


def save(state: Path, model: nn.Module, memory: dict[str, Any], progress: Progress) -> None:
    """Write the checkpoint of ``progress.step``, ``memory`` that of the optimizer; remove all but the last two."""
    target = state / f"step-{progress.step:09d}"
    if target.exists():
        return
    with _folder(target) as folder:
        save_model(model, str(folder / WEIGHTS))
        torch.save(memory, folder / OPTIMIZER)
        sums = {name: sha256(folder / name) for name in (WEIGHTS, OPTIMIZER)}
        write_json(folder / PROGRESS, asdict(progress) | {"sha256": sums})
    _prune(state)


def save_best(state: Path, model: nn.Module, progress: Progress) -> None:
    """Write the weights of the best evaluation so far and note their digest in ``progress``."""
    target = state / f"best-{progress.step:09d}"
    with _folder(target) as folder:
        save_model(model, str(folder / WEIGHTS))
    progress.best_sha256 = sha256(target / WEIGHTS)


@contextmanager
def _folder(target: Path) -> Iterator[Path]:
    """A folder that takes the name ``target`` once its files are on the disk."""
    temporary = target.parent / f".writing-{target.name}"
    temporary.mkdir()
    yield temporary
    for path in (*temporary.iterdir(), temporary):
        _sync(path)
    if target.exists():
        shutil.rmtree(target)
    temporary.replace(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def _prune(state: Path) -> None:
    """Keep the last checkpoints and the best weights that they refer to."""
    steps = sorted(state.glob("step-*"))
    for folder in steps[:-KEPT]:
        shutil.rmtree(folder)
    wanted = {read_json(folder / PROGRESS)["best_step"] for folder in steps[-KEPT:]}
    for folder in state.glob("best-*"):
        if int(folder.name.removeprefix("best-")) not in wanted:
            shutil.rmtree(folder)


def load_best(state: Path, model: nn.Module, progress: Progress) -> None:
    """Put the weights of the best evaluation into ``model``."""
    _load_weights(model, state / f"best-{progress.best_step:09d}" / WEIGHTS)


def load(state: Path, model: nn.Module) -> tuple[Progress, dict[str, Any]] | None:
    """Put the last whole checkpoint into ``model``; returns the optimizer's state too, and None when there is none.

    Broken checkpoints are removed with a warning: the run comes past their step again.
    """
    for folder in sorted(state.glob("step-*"), reverse=True):
        facts = _whole(folder)
        if facts is not None:
            del facts["sha256"]
            _load_weights(model, folder / WEIGHTS)
            return Progress(**facts), torch.load(folder / OPTIMIZER, map_location="cpu", weights_only=True)
        logging.warning("%s is broken; going back to the checkpoint before it", folder)
        shutil.rmtree(folder)
    return None


def _load_weights(model: nn.Module, path: Path) -> None:
    load_model(model, str(path), device=str(next(model.parameters()).device))


def _whole(folder: Path) -> dict[str, Any] | None:
    """What the checkpoint says of itself, or None when its files are not those it speaks of."""
    try:
        facts: dict[str, Any] = read_json(folder / PROGRESS)
        sound = all(sha256(folder / name) == digest for name, digest in facts["sha256"].items())
        best = folder.parent / f"best-{facts['best_step'] or 0:09d}" / WEIGHTS
        sound = sound and facts["best_sha256"] in (None, best.exists() and sha256(best))
    except (DiscoError, OSError, KeyError, TypeError):
        return None
    return facts if sound else None
