"""Approximate randomisation and Holm: what is exact where it can be counted, and how often a null is rejected."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.score.measure import Array, percentage
from discobench.score.paired import holm, randomised


def table(values: list[float]) -> Array:
    return np.array([[value, 1.0] for value in values])


def test_close_to_all_exchanges_counted() -> None:
    first, second = [1.0, 1, 1, 0.5, 1, 0.8, 1, 0], [0.0, 0.5, 0.2, 1, 0.4, 0.1, 1, 0]
    apart = [a - b for a, b in zip(first, second, strict=True)]
    sums = [abs(sum(s * d for s, d in zip(signs, apart, strict=True))) for signs in product((1, -1), repeat=8)]
    exact = sum(total >= abs(sum(apart)) - 1e-9 for total in sums) / len(sums)
    found = randomised(table(first), table(second), percentage, 100_000, 3)
    assert found.value == pytest.approx(100 * sum(apart) / 8)
    assert found.p == pytest.approx(exact, rel=0.5)


def test_the_same_answers_do_not_differ_and_drawing_ends_early() -> None:
    scores = table([0.0, 1, 1, 0])
    found = randomised(scores, scores, percentage, 10_000, 1)
    assert (found.value, found.p) == (0, 1)
    assert found.samples < 10_000


def test_a_clear_difference_is_one_and_repeats() -> None:
    first, second = table([1.0] * 30), table([0.0] * 30)
    found = randomised(first, second, percentage, 999, 5)
    assert (found.value, found.p, found.samples) == (100, 1 / 1000, 999)
    assert found == randomised(first, second, percentage, 999, 5)
    assert randomised(second, first, percentage, 999, 5).value == -100


def test_a_true_null_is_rejected_as_often_as_said() -> None:
    rng = np.random.default_rng(0)
    rejected = sum(
        randomised(table(list(rng.random(20))), table(list(rng.random(20))), percentage, 199, n).p <= 0.1
        for n in range(200)
    )
    assert 6 <= rejected <= 36  # 20 expected, a standard deviation of 4.2


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_lies_between_no_correction_and_bonferroni(values: list[float]) -> None:
    for p, adjusted in zip(values, holm(values), strict=True):
        assert p - 1e-12 <= adjusted <= min(1.0, p * len(values)) + 1e-12
