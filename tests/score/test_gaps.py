"""ZPR against thirty sentences counted by hand; readings of its F1; scores by category; shuffled answers."""

from dataclasses import replace

import pytest

from discobench.score.categories import by_category, categories
from discobench.score.items import Item
from discobench.score.measure import Additive, Options
from discobench.score.registry import MEASURES, evaluate, names
from discobench.tasks import task

OPTIONS = Options("zh", bootstrap=20, seed=7)

# Domain, gold, predicted, and by hand: hits, predictions, gold.
CASES = """
novel  | 0我        | 0我        | 1 1 1
novel  | 0我        | 0你        | 0 1 1
novel  | 0我        | 1我        | 0 1 1
novel  | 0我 4他的  | 4他的      | 1 1 2
novel  | 0我 4他的  | 4他 0我    | 1 2 2
novel  |            | 2它        | 0 1 0
novel  | 3她        |            | 0 0 1
novel  |            |            | 0 0 0
novel  | 5我们      | 5我        | 0 1 1
novel  | 5我        | 5我们      | 0 1 1
movie  | 0他 2她    | 0她 2他    | 0 2 2
movie  | 0他 2她    | 2她 0他    | 2 2 2
movie  | 0他 2她    | 0他        | 1 1 2
movie  | 0他        | 0他 2她    | 1 2 1
movie  | 0他 2她 4它| 0他 2她 4它| 3 3 3
movie  | 0他 2她 4它| 1他 3她 5它| 0 3 3
movie  | 0他 2她 4它| 4它        | 1 1 3
movie  | 7自        | 7自        | 0 1 1
movie  | 7你自己的  | 7你自己的  | 1 1 1
movie  | 7你自己的  | 7你的      | 0 1 1
forum  | 0你        | 0你        | 1 1 1
forum  | 0你        | 0你        | 1 1 1
forum  | 0你 3我的  | 0你 3你的  | 1 2 2
forum  |            | 0你 3我的  | 0 2 0
forum  | 0你 3我的  |            | 0 0 2
forum  | 9它们      | 9它们      | 1 1 1
forum  | 9它们      | 9他们      | 0 1 1
forum  | 1他 9它们  | 9它们 1他  | 2 2 2
forum  | 2她        | 3她        | 0 1 1
forum  | 2她        | 2她 3她    | 1 2 1
"""


MORE = {1: 1, 4: 1, 8: 1, 9: 1, 10: 2, 17: 1, 19: 1, 22: 1, 26: 1}
"""Sentences in which a position is right and its form is not (17: a form outside the inventory), and how often."""


def labels(text: str) -> list[tuple[int, str]]:
    return [(int(part[0]), part[1:]) for part in text.split()]


def cases() -> list[tuple[Item, tuple[int, ...]]]:
    found = []
    for n, line in enumerate(CASES.strip().split("\n")):
        domain, gold, predicted, counts = (part.strip() for part in line.split("|"))
        pairs = labels(gold)
        zeros = [{"offset": offset, "pronoun": form, "in_inventory": form != "自"} for offset, form in pairs]
        item = Item(f"s:{n}", pairs, labels(predicted), domain, {"zeros": zeros})
        found.append((item, tuple(map(int, counts.split()))))
    return found


ITEMS = [item for item, _ in cases()]


def value(metric: str, items: list[Item]) -> float:
    return MEASURES["gaps", metric](items, OPTIONS).value  # type: ignore[union-attr]


def test_thirty_sentences_by_hand() -> None:
    measure = MEASURES["gaps", "f1"]
    assert isinstance(measure, Additive)
    assert measure.count(ITEMS, OPTIONS).table.tolist() == [list(counts) for _, counts in cases()]
    hits, found, gold = (sum(counts[n] for _, counts in cases()) for n in range(3))
    assert (len(ITEMS), hits, found, gold) == (30, 19, 39, 41)
    assert value("precision", ITEMS) == pytest.approx(100 * 19 / 39)
    assert value("recall", ITEMS) == pytest.approx(100 * 19 / 41)
    assert value("f1", ITEMS) == pytest.approx(100 * 38 / 80)


def test_position_alone_knows_no_forms() -> None:
    """Its hits are those by form and, counted by hand, the ones in MORE."""
    measure = MEASURES["gaps", "f1-position"]
    assert isinstance(measure, Additive)
    by_form, by_place = (
        MEASURES["gaps", name].count(ITEMS, OPTIONS).table
        for name in ("f1", "f1-position")  # type: ignore[union-attr]
    )
    assert (by_place[:, 1:] == by_form[:, 1:]).all() and (by_place[:, 0] >= by_form[:, 0]).all()
    more = {n: int(a - b) for n, (a, b) in enumerate(zip(by_place[:, 0], by_form[:, 0], strict=True)) if a != b}
    assert more == MORE
    hits = 19 + sum(MORE.values())
    assert value("f1-position", ITEMS) == pytest.approx(100 * 2 * hits / (39 + 41))
    assert value("precision-position", ITEMS) == pytest.approx(100 * hits / 39)
    assert value("recall-position", ITEMS) == pytest.approx(100 * hits / 41)
    assert {"f1-position", "precision-position", "recall-position"} < set(names(task("zpr")))


def test_the_three_readings_of_f1() -> None:
    """By domain: novel 3 of 9 and 10, movie 9 of 17 and 19, forum 7 of 13 and 12."""
    by_domain = {"novel": (3, 9, 10), "movie": (9, 17, 19), "forum": (7, 13, 12)}
    p, r = (sum(100 * c[0] / c[i] for c in by_domain.values()) / 3 for i in (1, 2))
    assert value("f1-of-averages", ITEMS) == pytest.approx(2 * p * r / (p + r))
    average = sum(200 * h / (f + g) for h, f, g in by_domain.values()) / 3
    assert value("f1-averaged", ITEMS) == pytest.approx(average)
    assert average < 2 * p * r / (p + r)


def test_scores_by_domain_and_pronoun() -> None:
    parts = categories(task("zpr"), ITEMS)
    assert {kind: list(names) for kind, names in parts.items()}["domain"] == ["forum", "movie", "novel"]
    assert sum(len(items) for items in parts["domain"].values()) == 30
    mine = parts["pronoun"]["我"]
    assert (len(mine), value("precision", list(mine)), value("recall", list(mine))) == (7, 50.0, pytest.approx(100 / 3))
    gold = sum(len(item.gold) for items in parts["pronoun"].values() for item in items)
    assert gold == 41


def test_pronouns_are_counted_in_the_gold_data() -> None:
    """自 is gold only, 你的 is predicted only; a form has one n, whatever a model predicts in vain."""
    parts = by_category(task("zpr"), ITEMS, OPTIONS)
    sizes = {form: found["f1"]["n"] for form, found in parts["pronoun"].items()}
    assert (sizes["我"], sizes["自"], sizes["你的"], sum(sizes.values())) == (6, 1, 0, 41)
    assert parts["pronoun"]["你的"]["f1"]["value"] == 0
    silent = [replace(item, prediction=[]) for item in ITEMS]
    found = by_category(task("zpr"), silent, OPTIONS)["pronoun"]
    assert {form: scores["precision"]["n"] for form, scores in found.items()} == {f: n for f, n in sizes.items() if n}
    assert {name: scores["f1"]["n"] for name, scores in parts["domain"].items()} == dict.fromkeys(
        ("forum", "movie", "novel"), 10
    )


def test_what_gaps_leave_out_is_nothing_to_other_tasks() -> None:
    items = [Item("a", 1, 1, "modern", {}), Item("b", 0, 1, "modern", {})]
    found = by_category(task("mrc"), items, replace(OPTIONS, outside="ignore"))
    assert found["style"]["modern"]["accuracy"]["value"] == 50


def test_gold_forms_outside_the_inventory_may_be_left_out() -> None:
    """自 of sentence 17: one gold pronoun less, and its right position is no hit any more."""
    ignoring = replace(OPTIONS, outside="ignore")

    def values(name: str) -> tuple[float, str]:
        found = MEASURES["gaps", name](ITEMS, ignoring)
        return found.value, found.signature

    recall, how = values("recall")
    assert recall == pytest.approx(100 * 19 / 40) and "|outside inventory:ignore|" in how
    recall, how = values("recall-position")
    assert recall == pytest.approx(100 * (19 + sum(MORE.values()) - 1) / 40) and "|outside inventory:ignore|" in how
    parts = by_category(task("zpr"), ITEMS, ignoring)["pronoun"]
    assert (parts["自"]["f1"]["n"], parts["自"]["f1"]["value"]) == (0, 0)
    assert {MEASURES["gaps", name](ITEMS, OPTIONS).signature.split("|")[3] for name in ("f1", "f1-position")} == {
        "outside inventory:miss",
        "outside inventory:hit",
    }


def test_reading_comprehension_by_style() -> None:
    items = [Item(f"s:{n}", 1, n % 2, style, {}) for n, style in enumerate(["classical", "modern", "modern", "modern"])]
    parts = categories(task("mrc"), items)["style"]
    results = {style: evaluate(task("mrc"), members, OPTIONS)["accuracy"] for style, members in parts.items()}
    assert [(style, result.value, result.n) for style, result in results.items()] == [  # type: ignore[union-attr]
        ("classical", 0, 1),
        ("modern", pytest.approx(200 / 3), 3),
    ]
    assert categories(task("si"), items) == {}


@pytest.mark.parametrize("metric", names(task("zpr")))
def test_shuffled_gaps_score_lower(metric: str) -> None:
    mixed = [
        Item(a.id, a.gold, b.prediction, a.group, a.record) for a, b in zip(ITEMS, ITEMS[1:] + ITEMS[:1], strict=True)
    ]
    assert value(metric, mixed) < value(metric, ITEMS)


@pytest.mark.parametrize(
    ("formulation", "metric", "gold"),
    [
        ("span", "f1", [["甲一"], ["乙二"], ["丙三"]]),
        ("span", "f1-run", [["甲一"], ["乙二"], ["丙三"]]),
        ("span", "em", [["甲一"], ["乙二"], ["丙三"]]),
        ("span", "em-run", [["甲一"], ["乙二"], ["丙三"]]),
        ("choice", "accuracy", [0, 1, 2]),
    ],
)
def test_shuffled_answers_score_lower(formulation: str, metric: str, gold: list[object]) -> None:
    right, wrong = (
        [Item(f"s:{n}", a, b, "d", {}) for n, (a, b) in enumerate(zip(gold, found, strict=True))]
        for found in (gold, gold[1:] + gold[:1])
    )
    measure = MEASURES[formulation, metric]
    assert measure(wrong, OPTIONS).value < measure(right, OPTIONS).value == 100  # type: ignore[union-attr]
