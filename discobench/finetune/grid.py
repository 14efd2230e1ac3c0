"""Hyper-parameters chosen on the validation set, as in section 6.1 of the paper: every trial is kept in a table."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from discobench.checkpoints import merit
from discobench.errors import DiscoError
from discobench.files import fingerprint, write_json
from discobench.finetune.run import Examples, Run, finetune

TABLE = "trials.json"


def trials(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Every combination of a grid's values, the last key changing fastest; one without changes where it is empty."""
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def search(run: Run, grid: Mapping[str, Sequence[Any]], train: Examples, valid: Examples) -> dict[str, Any]:
    """Fine-tune once for each trial and keep the model that ``best_by`` says is the best; returns its facts.

    ``trials.json`` beside it has what each trial changed, its step, all that was measured on the validation set and
    which was chosen; of equal ones the first is. Raises DiscoError where there is nothing to choose by. One trial
    needs no choice: there is no table.
    """
    changes = trials(grid)
    if len(changes) == 1:
        return finetune(_changed(run, changes[0]), train, valid)
    if not valid or not run.training["keep_best"]:
        raise DiscoError(
            "finetune.grid chooses by the validation set, and cannot: the task has no validation examples or "
            "keep_best is false; remove the grid."
        )
    shutil.rmtree(run.out, ignore_errors=True)
    found = [_tried(run, number, change, train, valid) for number, change in enumerate(changes)]
    by = run.training["best_by"]
    best = max(range(len(found)), key=lambda number: merit(found[number]["losses"]["best"], by))
    _keep(run.out, best, [_line(c, f, n == best) for n, (c, f) in enumerate(zip(changes, found, strict=True))])
    return found[best]


def _changed(run: Run, change: Mapping[str, Any]) -> Run:
    """The run with ``change``; its state is its own, as ``run.state`` is that of the training without it."""
    if not change:
        return run
    state = run.state / f"trial-{fingerprint(dict(change))}"
    state.mkdir(exist_ok=True)
    return replace(run, training={**run.training, **change}, state=state, encoded=run.state)


def _tried(run: Run, number: int, change: Mapping[str, Any], train: Examples, valid: Examples) -> dict[str, Any]:
    curves = run.curves and _folder(run.curves, number)
    return finetune(replace(_changed(run, change), out=_folder(run.out, number), curves=curves), train, valid)


def _folder(out: Path, number: int) -> Path:
    return out / f"trial-{number}"


def _line(change: Mapping[str, Any], facts: Mapping[str, Any], chosen: bool) -> dict[str, Any]:
    measured = {f"validation_{name}": value for name, value in facts["losses"]["best"].items()}
    return {**change, "step": facts["step"], **measured, "chosen": chosen}


def _keep(out: Path, best: int, table: list[dict[str, Any]]) -> None:
    """The files of the best trial come up beside the table; those of the others go."""
    for path in sorted(_folder(out, best).iterdir()):
        path.rename(out / path.name)
    for number in range(len(table)):
        shutil.rmtree(_folder(out, number))
    write_json(out / TABLE, {"trials": table})
