"""The best checkpoint by a metric of the task: measured as the stage score does, kept whatever the loss says."""

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.formulations import Prediction
from tests import toys
from tests.finetune.test_grid import plan

pytestmark = pytest.mark.torch
CHOOSING = {"best_by": "f1", "best_of": 5}


def record(n: int, zeros: int) -> dict[str, Any]:
    """A sentence of ZPR with so many pronouns left out at its beginning."""
    known = [{"offset": k, "pronoun": "我", "role": None, "in_inventory": True} for k in range(zeros)]
    named = {"id": f"a:b:{n}", "source": "a", "work_id": "b", "domain": "d"}
    return named | {"before": [], "after": [], "text": "走了吗", "zeros": known}


class Finds:
    """Answers every sentence with one pronoun at its start."""

    def predict(self, examples: list[Any], decoding: Any) -> list[Prediction]:
        """The same for all."""
        return [Prediction(example.id, [(0, "我")]) for example in examples]


def test_answers_are_measured_as_scores_are() -> None:
    from discobench.finetune.validation import answers
    from discobench.tasks import task

    found = answers(task("zpr"), [record(n, n % 2) for n in range(10)], CHOOSING, {"max_new_tokens": 8}, seed=1)
    assert found and [r["id"] for r in found.records] == [f"a:b:{n}" for n in (0, 2, 4, 6, 8)]
    assert found.measured(Finds()) == {"f1": 0.0}  # type: ignore[arg-type]
    every = replace(found, records=[record(n, n % 2) for n in range(10)])
    assert every.measured(Finds()) == {"f1": pytest.approx(100 * 2 * 5 / 15)}  # type: ignore[arg-type]


def test_where_the_loss_decides_nothing_is_answered() -> None:
    from discobench.finetune.validation import answers

    assert answers(SimpleNamespace(), [{}], CHOOSING | {"best_by": "loss"}, {}, 1) is None  # type: ignore[arg-type]
    assert answers(SimpleNamespace(), [], CHOOSING, {}, 1) is None  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 100)), min_size=1))
def test_the_best_is_the_highest_metric_and_of_equals_the_lowest_loss(pairs: list[tuple[float, float]]) -> None:
    from discobench.checkpoints import Progress

    by_metric, by_loss = Progress(), Progress()
    for loss, f1 in pairs:
        by_metric.improves({"loss": loss, "f1": f1}, "f1")
        by_loss.improves({"loss": loss, "f1": f1}, "loss")
    assert by_loss.best and by_loss.best["loss"] == min(loss for loss, _ in pairs)
    highest = max(f1 for _, f1 in pairs)
    assert by_metric.best == {"loss": min(loss for loss, f1 in pairs if f1 == highest), "f1": highest}


@pytest.mark.parametrize("by", ["loss", "f1"])
def test_what_is_no_number_is_never_the_best(by: str) -> None:
    from discobench.checkpoints import Progress

    nothing, something = {"loss": math.nan, "f1": math.nan}, {"loss": 1.0, "f1": 2.0}
    for pair in ((nothing, something), (something, nothing)):
        progress = Progress()
        for found in pair:
            progress.improves(found, by)
        assert progress.best == something


class Falling:
    """A metric that gets worse each time, while the loss falls."""

    def __init__(self) -> None:
        self.value = 100.0

    def measured(self, learner: Any) -> dict[str, float]:
        """One less than the time before."""
        self.value -= 1
        return {"f1": self.value}


@pytest.mark.slow
def test_a_grid_and_its_trials_go_by_the_metric(tmp_path: Path) -> None:
    from discobench.files import read_json
    from discobench.finetune.grid import search

    train, valid = toys.examples("gaps", 200, 1), toys.examples("gaps", 20, 2)
    run = replace(plan(tmp_path, best_by="f1", save_every=1), answers=Falling())  # type: ignore[arg-type]
    facts = search(run, {"learning_rate": [1e-3, 3e-3]}, train, valid)
    first, second = read_json(run.out / "trials.json")["trials"]
    assert first["chosen"] and not second["chosen"]
    assert first["validation_loss"] > second["validation_loss"]
    assert (facts["step"], facts["losses"]["best"]["f1"]) == (3, 99.0)
