"""Suites built from test sets: where candidates stand, what is told of them, and that nothing depends on order."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobench.diagnose.asking import questions
from discobench.diagnose.builder import MANY, NOTHING, TWICE, Plan, build
from discobench.diagnose.suite import TYPES, candidates, changed, check_suite
from discobench.errors import DiscoError
from discobench.schema import empty
from discobench.sieve import Sieve
from discobench.tasks import task
from discobench.tasks.base import Task
from discobench.tasks.mrc import ReadingComprehension
from discobench.tasks.tc import TextCompletion

PLAN = Plan(seed=3)
STORY = ["李明走进客栈。", "掌柜看着他。", "李明很累。", "不过，客栈里没有他。", "他离开了客栈。"]
ENGLISH = [
    "Li Ming went into the inn.",
    "The keeper looked at him.",
    "Li was tired.",
    "However, the inn was full.",
    "He left the inn.",
]


def mrc(n: int, **changes: Any) -> dict[str, Any]:
    asked = {"question": "他累吗？", "choices": ["累", "不累"], "answer": 0, "style": "modern"}
    common = {"id": f"m:{n}:0", "source": "m", "work_id": str(n), "language": "zh", "split": "test"}
    return empty("mrc") | common | asked | {"passage": f"故事{n}。" + "".join(STORY)} | changes


def tc(n: int) -> dict[str, Any]:
    common = {"id": f"t:{n}:0", "source": "t", "work_id": str(n), "language": "zh", "split": "test"}
    return empty("tc") | common | {"prompt": f"{n}" + STORY[0], "target": STORY[1:]}


def nt(n: int, position: int) -> dict[str, Any]:
    common = {"id": f"n:{n}:{position}", "source": "n", "work_id": str(n), "language": "zh", "split": "test"}
    texts = {"source_text": STORY[position], "references": [ENGLISH[position]]}
    return empty("nt") | common | {"document_id": str(n), "position": position} | texts


RECORDS = {
    "mrc": [mrc(n) for n in range(4)],
    "nt": [nt(n, position) for n in range(4) for position in range(5)],
    "tc": [tc(n) for n in range(4)],
}


def built(name: str, records: list[dict[str, Any]] | None = None, plan: Plan = PLAN) -> list[dict[str, Any]]:
    rows = [dict(row) for row, reason in build(task(name), records or RECORDS[name], plan) if reason is None]
    return [dict(row) for row in check_suite(rows, task(name), "built")]


@pytest.mark.parametrize("name", RECORDS)
def test_what_is_built_is_a_suite_and_says_what_was_changed(name: str) -> None:
    rows = built(name)
    assert {"repetition", "conjunction", "reference"} <= {row["type"] for row in rows} <= set(TYPES)
    for row in rows:
        assert 1 <= len(row["incorrect"]) <= PLAN.alternatives
        for wrong in row["incorrect"]:
            (change,) = wrong["changes"]
            assert changed(row["correct"], wrong["changes"]) == wrong["text"]
            assert change["from"] != change["to"] and wrong["class"]


def test_passages_stay_whole() -> None:
    passages = {row["passage"] for row in RECORDS["mrc"]}
    assert {row["context"] + row["correct"] for row in built("mrc")} <= passages
    assert all((row["question"], row["answer"]) == ("他累吗？", 0) for row in built("mrc"))


def test_translations_stand_behind_those_before_them() -> None:
    for row in built("nt"):
        position = int(row["id"].split(":")[2])
        assert position >= 3
        assert row["target_context"] == ENGLISH[:position]
        assert row["context"] == "".join(STORY[:position])
        assert (row["current"], row["correct"]) == (STORY[position], ENGLISH[position])


def test_completions_have_something_before_and_behind() -> None:
    for row in built("tc"):
        assert row["context"] and row["hypothesis"]
        assert (row["context"] + row["correct"] + row["hypothesis"])[1:] == "".join(STORY)


class EnglishCompletion(TextCompletion):
    languages = ("en", "en")


class EnglishReading(ReadingComprehension):
    languages = ("en", "en")


WRITTEN = ["It was late.", *ENGLISH]


def english(made: Task, record: dict[str, Any]) -> list[dict[str, Any]]:
    found = build(made, [record | {"language": "en"}], PLAN)
    return check_suite([dict(row) for row, reason in found if reason is None], made, "built")


def test_english_completions_have_blanks_between_sentences() -> None:
    record = empty("tc") | {"id": "t:1:0", "source": "t", "prompt": ENGLISH[0], "target": ENGLISH[1:]}
    made = EnglishCompletion()
    assert made.target(record) == " ".join(ENGLISH[1:])
    rows = english(made, record)
    assert {"conjunction", "reference"} <= {row["type"] for row in rows}
    for row in rows:
        assert " ".join([row["context"], row["correct"], row["hypothesis"]]) == " ".join(ENGLISH)
        right, *_ = candidates(made, row)
        assert f"{right.source} {right.target}" == " ".join(ENGLISH)
        (asked,) = questions(made, row, 1)
        assert f". {' '.join(ENGLISH)}" in asked.fields["candidates"]


def test_english_passages_stay_whole() -> None:
    passage = " ".join(WRITTEN)
    rows = english(EnglishReading(), mrc(1, passage=passage, question="Was he tired?", choices=["Yes", "No"]))
    assert {"conjunction", "reference"} <= {row["type"] for row in rows}
    for row in rows:
        assert candidates(EnglishReading(), row)[0].passage == passage
        assert not row["context"].endswith(" ")


def test_words_of_the_choices_stay() -> None:
    records = [mrc(1, choices=["客栈", "家里"]), mrc(2)]
    assert [row["id"] for row in built("mrc", records) if row["type"] == "repetition"] == ["m:2:0:repetition"]


@settings(max_examples=10)
@given(st.permutations(range(4)), st.integers(1, 4))
def test_order_does_not_matter(order: list[int], limit: int) -> None:
    plan = Plan(3, limit=limit)
    rows = {row["id"]: row for row in built("tc", [tc(n) for n in order], plan)}
    assert rows == {row["id"]: row for row in built("tc", plan=plan)}
    assert max(Counter(row["type"] for row in rows.values()).values()) == limit


def test_a_seed_draws_anew() -> None:
    assert built("tc") == built("tc")
    assert built("tc") != built("tc", plan=Plan(4))


def test_everything_is_counted() -> None:
    records = [mrc(1), mrc(1, id="m:1:1"), mrc(2), mrc(3, passage="下雨了。")]
    sieve = Sieve("s")
    kept = list(sieve.kept(build(task("mrc"), records, Plan(3, limit=1))))
    assert sieve.received == len(records) * len(TYPES) == len(kept) + len(sieve.dropped)
    assert set(sieve.balance.dropped) == {NOTHING, MANY, TWICE}
    assert {row["id"] for row in sieve.dropped if row["reason"] == NOTHING} >= {f"m:3:0:{name}" for name in TYPES}


def test_a_window_has_so_many_sentences() -> None:
    assert {row["id"].split(":")[2] for row in built("nt", plan=Plan(3, (5, 5)))} == {"4"}
    near = built("nt", plan=Plan(3, (2, 2)))
    assert {len(row["target_context"]) for row in near} == {1}


def test_tasks_without_windows_are_refused() -> None:
    record = empty("te") | {"id": "e:1:1", "source": "e", "source_text": "He left.", "target": "He quietly left."}
    with pytest.raises(DiscoError, match="Task te has no windows"):
        list(build(task("te"), [record], PLAN))
