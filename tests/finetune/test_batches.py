"""Batches by step: every example once an epoch, no replay, epochs counted in steps."""

import pytest

pytestmark = pytest.mark.torch


def batches(unit: str, size: int):
    from discobench.finetune.program import Batches

    return Batches([n % 7 + 1 for n in range(50)], size, unit, seed=3)


@pytest.mark.parametrize(("unit", "size"), [("sequences", 8), ("tokens", 20)])
def test_an_epoch_holds_every_example_once(unit: str, size: int) -> None:
    found = batches(unit, size)
    steps = found.epochs(1)
    seen = [index for step in range(steps) for index in found.at(step)]
    assert sorted(seen) == list(range(50))


@pytest.mark.parametrize(("unit", "size"), [("sequences", 8), ("tokens", 20)])
def test_steps_are_random_access(unit: str, size: int) -> None:
    forwards = [batches(unit, size).at(step) for step in range(40)]
    found = batches(unit, size)
    assert [found.at(step) for step in reversed(range(40))] == forwards[::-1]


def test_epochs_differ() -> None:
    found = batches("sequences", 8)
    steps = found.epochs(1)
    assert [found.at(n) for n in range(steps)] != [found.at(n + steps) for n in range(steps)]


def test_what_is_cut_is_told_as_a_share() -> None:
    from discobench.finetune.program import with_shares

    assert with_shares({"answers": 8, "answers in no window": 2})["share of answers: answers in no window"] == 0.25
    assert with_shares({"answers": 0, "answers in no window": 0}) == {"answers": 0, "answers in no window": 0}


@pytest.mark.parametrize(("size", "count"), [(8, 50), (7, 49), (60, 50), (1, 3)])
def test_epochs_of_sequences_are_counted_without_making_them(size: int, count: int) -> None:
    from discobench.batching import training_batches
    from discobench.finetune.program import Batches

    lengths = [n % 7 + 1 for n in range(count)]
    made = [len(training_batches(lengths, size, "sequences", 3, epoch)) for epoch in range(3)]
    assert Batches(lengths, size, "sequences", seed=3).epochs(3) == sum(made)
