"""Hyper-parameters of fine-tuning: those of the task, changed by the row, scaled where config says so."""

import pytest

from discobench.config.load import parse
from discobench.config.selection import Selection


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


def test_what_answers_to_validation_examples_depend_on(tree: dict) -> None:
    tree["decode"]["si"] = {"max_answer": 12, "span_margin": 1.5}
    chosen = Selection(parse(tree, "config.yaml"))
    assert chosen.answering("si", "bert-base") == {"max_new_tokens": 128, "max_answer": 12, "span_margin": 1.5}
    assert chosen.answering("ti", "t5") == {}
