"""Metrics of understanding against values worked out by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.score.answers import character_f1, common_run_f1, word_f1
from discobench.score.items import Item
from discobench.score.measure import Metric, Options
from discobench.score.registry import MEASURES

OPTIONS = Options("zh", bootstrap=200, seed=7)


def score(formulation: str, metric: str, *pairs: tuple[Any, Any], zeros: list[Any] | None = None) -> Metric:
    items = [
        Item(f"s:w:{n}", gold, found, "d", {"zeros": (zeros or {})[n] if zeros else []})
        for n, (gold, found) in enumerate(pairs)
    ]
    return MEASURES[formulation, metric](items, OPTIONS)


@pytest.mark.parametrize(
    ("gold", "found", "value"),
    [
        (["李秋水"], ["李秋水"], 1.0),
        (["李秋水"], ["秋水"], 0.8),  # 2 common of 3 and 2
        (["李秋水"], ["王二"], 0.0),
        (["李秋水"], ["水李秋"], 1.0),  # a bag has no order
        (["李秋水"], [], 0.0),
        (["李秋水"], None, 0.0),
        ([], [], 1.0),
        (["甲乙", "丙"], ["丙", "甲"], 0.8),  # spans are pooled: 2 common of 3 and 2
        (["甲 乙"], ["甲乙"], 1.0),
        (["甲甲乙"], ["甲"], 0.5),  # a repeated character counts as often as it stands there
    ],
)
def test_character_f1(gold: list[str], found: list[str] | None, value: float) -> None:
    assert character_f1(gold, found) == pytest.approx(value)


@pytest.mark.parametrize(
    ("gold", "found", "value"),
    [
        (["Mr. Darcy"], ["mr. darcy"], 1.0),
        (["Elizabeth Bennet"], ["Elizabeth"], 2 / 3),
        (["Jane"], ["Jean"], 0.0),  # of the same letters, save one
        (["Tom", "Ann"], ["Ann"], 2 / 3),  # spans are pooled
        (["Tom"], None, 0.0),
        ([], [], 1.0),
    ],
)
def test_words_are_the_unit_outside_chinese(gold: list[str], found: list[str] | None, value: float) -> None:
    assert word_f1(gold, found) == pytest.approx(value)
    metric = MEASURES["span", "f1"]([Item("s", gold, found, "d", {})], Options("en", bootstrap=2, seed=1))
    assert metric.value == pytest.approx(100 * value) and metric.signature.startswith("f1|unit:word|tok:13a|")
    assert score("span", "f1", (["李秋水"], ["秋水"])).signature.startswith("f1|unit:character|")


def test_longest_run_differs_from_the_bag() -> None:
    assert common_run_f1(["李秋水"], ["水李秋"]) == pytest.approx(2 * 2 / 6)
    assert common_run_f1(["老张头"], ["张"]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("gold", "found", "value"),
    [
        (["哈利·波特"], ["哈利波特"], 1.0),
        (["“老张头”，"], ["老张头"], 1.0),
        (["Harry"], ["harry"], 1.0),
        (["Harry"], ["Harriet"], 0.0),  # a word is one token, whatever it shares
        (["Harry Potter"], ["Potter先生"], 0.4),  # 1 in a row of 2 and 3
        (["J.K. Rowling"], ["rowling"], 2 / 3),
        (["安-娜"], ["安娜"], 1.0),
        (["甲…乙"], ["甲乙"], 0.4),  # dots are no punctuation to the script: 1 in a row of 3 and 2
        (["Tom", "Ann"], ["Tom"], 2 / 3),  # two spans are two words
        (["。"], ["，"], 1.0),  # nothing on either side
        (["。"], ["甲"], 0.0),
    ],
)
def test_longest_run_has_the_tokens_of_cmrc(gold: list[str], found: list[str], value: float) -> None:
    assert common_run_f1(gold, found) == pytest.approx(value)


@given(st.text(alphabet="甲乙丙丁 ", max_size=8), st.text(alphabet="甲乙丙丁 ", max_size=8))
def test_f1_is_symmetric_and_bounds_the_run(left: str, right: str) -> None:
    assert character_f1([left], [right]) == character_f1([right], [left])
    assert 0 <= common_run_f1([left], [right]) <= character_f1([left], [right]) <= 1


def test_speakers_average_over_instances() -> None:
    pairs = (["李秋水"], ["秋水"]), (["王二"], ["王二"]), (["王二"], [])
    assert score("span", "f1", *pairs).value == pytest.approx(100 * (0.8 + 1 + 0) / 3)
    assert score("span", "em", *pairs).value == pytest.approx(100 / 3)
    assert score("span", "em", (["甲", "乙"], ["乙", "甲"])).value == 100


@pytest.mark.parametrize(
    ("gold", "found", "values"),
    [
        (["Harry"], ["harry"], (0, 100)),
        (["哈利·波特"], ["哈利波特"], (0, 100)),
        (["Harry Potter"], ["harry  potter，"], (0, 100)),
        (["老张头"], ["张老头"], (0, 0)),
        (["甲", "乙"], ["“乙”", "甲"], (0, 100)),
        (["甲"], [], (0, 0)),
        (["甲"], None, (0, 0)),
    ],
)
def test_exact_match_with_and_without_case_and_signs(gold: Any, found: Any, values: tuple[float, float]) -> None:
    assert tuple(score("span", name, (gold, found)).value for name in ("em", "em-run")) == values


ZPR = [  # gold, prediction, (hits, predicted, gold)
    ([[0, "我"]], [[0, "我"]], (1, 1, 1)),
    ([[0, "我"]], [[0, "你"]], (0, 1, 1)),
    ([[0, "我"]], [[1, "我"]], (0, 1, 1)),
    ([[0, "我"], [4, "他的"]], [[4, "他的"]], (1, 1, 2)),
    ([], [[2, "它"]], (0, 1, 0)),
    ([[3, "她"]], [], (0, 0, 1)),
    ([], [], (0, 0, 0)),
    ([[3, "她"]], None, (0, 0, 1)),
    ([[0, "我"]], [[0, "我"], [0, "我"]], (1, 2, 1)),
    ([[0, "这"]], [[0, "这"]], (0, 1, 1)),  # outside the inventory: missed though named
]


def test_zero_pronouns_are_counted_over_all_sentences() -> None:
    zeros: list[Any] = [[] for _ in ZPR]
    zeros[-1] = [{"offset": 0, "pronoun": "这", "in_inventory": False}]
    pairs = [(gold, found) for gold, found, _ in ZPR]
    hits, found, gold = (sum(counts[i] for *_, counts in ZPR) for i in range(3))
    assert (hits, found, gold) == (3, 8, 9)
    assert score("gaps", "precision", *pairs, zeros=zeros).value == pytest.approx(100 * 3 / 8)
    assert score("gaps", "recall", *pairs, zeros=zeros).value == pytest.approx(100 * 3 / 9)
    metric = score("gaps", "f1", *pairs, zeros=zeros)
    assert metric.value == pytest.approx(100 * 6 / 17)
    assert metric.n == len(ZPR)
    assert metric.instances["s:w:0"] == metric.instances["s:w:6"] == 100


def test_f1_follows_from_precision_and_recall() -> None:
    """The identity that the printed F1 of ZPR breaks."""
    pairs = ([[0, "我"], [2, "他"]], [[0, "我"]]), ([[1, "你"]], [[1, "你"], [3, "它"]])
    p, r, f = (score("gaps", name, *pairs).value for name in ("precision", "recall", "f1"))
    assert f == pytest.approx(2 * p * r / (p + r))


def test_accuracy_counts_no_answer_as_wrong() -> None:
    metric = score("choice", "accuracy", (0, 0), (1, 1), (2, 1), (3, None))
    assert metric.value == 50
    assert metric.n == 4


def test_interval_holds_the_value_and_repeats() -> None:
    pairs = [(n % 3, 0) for n in range(300)]
    first, second = score("choice", "accuracy", *pairs), score("choice", "accuracy", *pairs)
    assert first == second
    assert first.ci95 is not None
    assert first.ci95[0] < first.value < first.ci95[1]
    # Binomial: 1.96 * sqrt(p(1-p)/n) is 5.3 points either way.
    assert first.ci95[1] - first.ci95[0] == pytest.approx(2 * 5.33, rel=0.25)
