"""Hyper-parameters of fine-tuning: those of the task, changed by the row, scaled where config says so."""

from typing import Optional, get_type_hints

import pytest

from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.config.training import TrainingChange, Tuning


@pytest.mark.parametrize(
    ("task", "row", "factor", "expected"),
    [
        ("zpr", "bert-base", None, (5, 5e-6, None, 0)),
        ("zpr", "bert-base", 16, (80, 2e-5, None, 0)),
        ("nt", "transformer-base", 4, (12_000, 1.4e-3, 7_500, 4_000)),
    ],
)
def test_larger_batches_take_fewer_steps_at_a_higher_rate(tree: dict, task, row, factor, expected) -> None:
    if factor:
        tree["finetune"]["tasks"][task]["batch_factor"] = factor
    found = Selection(parse(tree, "config.yaml")).training(task, row)
    assert (found.batch_size, pytest.approx(found.learning_rate), found.steps, found.warmup) == expected
    assert found.batch_factor == (factor or 1)


@pytest.mark.parametrize("row", ["transformer-base", "transformer-big"])
def test_plain_models_learn_every_task_as_the_paper_says_of_them(tree: dict, row: str) -> None:
    chosen = Selection(parse(tree, "config.yaml"))
    found = {task: chosen.training(task, row) for task in tree["rows"][row]["tasks"]}
    assert len(found) == 9
    assert {(t.learning_rate, t.betas, t.schedule, t.dropout) for t in found.values()} == {
        (7e-4, (0.9, 0.98), "inverse_sqrt", 0.3)
    }
    assert {task for task, t in found.items() if t.warmup != 16_000} == {"si", "mrc"}


def test_values_of_a_grid_are_scaled_as_the_training_is(tree: dict) -> None:
    tree["finetune"]["tasks"]["zpr"] |= {"batch_factor": 4, "steps": 900}
    values = {"learning_rate": [1e-5, 2e-5], "batch_size": [3], "steps": [400]}
    tree["finetune"]["grid"] = {"bert-base": {"zpr": values}}
    chosen = Selection(parse(tree, "config.yaml"))
    grid = {"learning_rate": [2e-5, 4e-5], "batch_size": [12], "steps": [100]}
    assert chosen.grid("zpr", "bert-base") == grid
    trials = [(t.learning_rate, t.batch_size, t.steps) for t in chosen.trials("zpr", "bert-base")]
    assert trials == [(2e-5, 12, 100), (4e-5, 12, 100)]


def test_a_row_may_change_every_key_and_no_other() -> None:
    """The two types are written out each, so that editors and mypy know their keys."""
    kept, changed = (get_type_hints(kind, include_extras=True) for kind in (Tuning, TrainingChange))
    assert Tuning.model_fields.keys() == TrainingChange.model_fields.keys()
    assert {n: changed[n] for n in Tuning.model_fields} == {n: Optional[kept[n]] for n in Tuning.model_fields}  # noqa: UP045
    assert TrainingChange().model_dump(exclude_none=True) == {}


def test_what_answers_to_validation_examples_depend_on(tree: dict) -> None:
    tree["decode"]["si"] = {"max_answer": 12, "span_margin": 1.5}
    chosen = Selection(parse(tree, "config.yaml"))
    assert chosen.answering("si", "bert-base") == {"max_new_tokens": 128, "max_answer": 12, "span_margin": 1.5}
    assert chosen.answering("ti", "t5") == {}
