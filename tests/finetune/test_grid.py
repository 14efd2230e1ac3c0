"""A grid: the trial with the lowest validation loss is kept, and a table of all."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests import toys

pytestmark = [pytest.mark.torch, pytest.mark.slow]


def plan(root: Path, **changes: Any) -> Any:
    import torch

    from discobench.finetune.run import Run
    from discobench.models import family

    (root / "state").mkdir()
    training = toys.TRAINING | {"steps": 30, "keep_best": True} | changes
    places = (torch.device("cpu"), root / "state", root / "out")
    base = toys.checkpoint("encoder", root / "base")
    return Run(family("encoder"), base, toys.settings("gaps"), training, 1, "fp32", *places)


def test_the_best_trial_is_kept_with_a_table_of_all(tmp_path: Path) -> None:
    from discobench.finetune.grid import search

    train, valid = toys.examples("gaps", 300, 1), toys.examples("gaps", 30, 2)
    run = plan(tmp_path)
    facts = search(run, {"learning_rate": [1e-9, 3e-3], "batch_size": [4, 8]}, train, valid)
    table = json.loads((run.out / "trials.json").read_text("utf-8"))["trials"]
    assert [(t["learning_rate"], t["batch_size"]) for t in table] == [(1e-9, 4), (1e-9, 8), (3e-3, 4), (3e-3, 8)]
    (chosen,) = [t for t in table if t["chosen"]]
    assert chosen["learning_rate"] == 3e-3 and chosen["validation_loss"] == min(t["validation_loss"] for t in table)
    assert facts["training"]["batch_size"] == chosen["batch_size"]
    assert (run.out / "head.safetensors").exists() and not list(run.out.glob("trial-*"))
    assert [path.parent for path in tmp_path.rglob("*.arrow")] == [run.state]


def test_a_grid_of_one_value_goes_on_from_no_other(tmp_path: Path) -> None:
    from discobench.finetune.grid import search

    train, valid = toys.examples("gaps", 40, 1), toys.examples("gaps", 8, 2)
    run, weights = plan(tmp_path, steps=2), []
    for rate in (1e-9, 3e-2, 1e-9):
        facts = search(run, {"learning_rate": [rate]}, train, valid)
        assert facts["training"]["learning_rate"] == rate
        weights.append((run.out / "head.safetensors").read_bytes())
    assert weights[0] == weights[2] != weights[1]


def test_without_validation_there_is_nothing_to_choose_by(tmp_path: Path) -> None:
    from discobench.errors import DiscoError
    from discobench.finetune.grid import search

    with pytest.raises(DiscoError, match=r"finetune\.grid chooses by the validation set"):
        search(plan(tmp_path), {"learning_rate": [1e-3, 1e-4]}, toys.examples("gaps", 20, 1), [])


def test_an_empty_grid_is_one_trial() -> None:
    from discobench.finetune.grid import trials

    assert trials({}) == [{}]
