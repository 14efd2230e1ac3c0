"""Overlap with test sets: what is found, dropped, cut and told."""

from collections.abc import Callable
from typing import Any

import pytest

from discobench.corpus.clean import measured
from discobench.corpus.contamination import Decontaminator, Index, texts

Make = Callable[..., dict[str, Any]]
TEST = "那天夜里渡船没有来，老人把灯吹灭了。"
OTHER = "山路很长，石阶上满是青苔。到了山顶，他们看见了海。风从海上来。鸟往山里去。"


def index(n: int = 8) -> Index:
    found = Index("zh", n)
    record = {"id": "t:1", "source_text": TEST, "work_id": OTHER, "references": ["The ferry did not come."], "n": 3}
    found.add("nt", [record, {"id": "t:0", "source_text": TEST, "choices": None}])
    return found


def clean(make: Make, text: str, **fields: Any) -> dict[str, Any]:
    return measured(make(text, **fields), frozenset())


def test_texts_of_any_task_are_found() -> None:
    record = {"id": "x", "work_id": "y", "speakers": [{"text": "a", "start": 1}], "before": ["b", "c"], "answer": 2}
    assert sorted(texts(record)) == ["a", "b", "c"]


@pytest.mark.parametrize("text", [TEST, TEST.replace("，", " ，\n"), "“" + TEST[:-1] + "！”"])
def test_marks_and_blanks_hide_nothing(document: Make, text: str) -> None:
    check = Decontaminator(index(), "document", 0.5, frozenset())
    assert check(clean(document, text))[1] == "contaminated"
    (span,) = check.spans
    assert (span["task"], span["instance"]) == ("nt", "t:0")
    assert text[span["start"]] == "那"
    assert text[span["end"] - 1] == "了"


def test_below_the_threshold_is_kept_and_told(document: Make) -> None:
    record = clean(document, OTHER * 3 + TEST)
    check = Decontaminator(index(), "document", 0.5, frozenset())
    assert check(record) == (record, None)
    assert len(check.spans) == 1


def test_spans_are_cut_by_sentence(document: Make) -> None:
    check = Decontaminator(index(), "span", 0.0, frozenset())
    record, reason = check(clean(document, OTHER[:13] + TEST + OTHER[13:]))
    assert (record["text"], reason) == (OTHER, None)
    assert record == clean(document, OTHER)
    assert check(clean(document, TEST))[1] == "contaminated"


def test_test_works_go_whole_and_valid_works_stay(document: Make) -> None:
    check = Decontaminator(index(), "document", 0.5, frozenset())
    assert check(clean(document, OTHER, split="test"))[1] == "test work"
    assert check(clean(document, OTHER, split="valid"))[1] is None


def test_english_words() -> None:
    found = Index("en", 4)
    found.add("te", [{"id": "t", "target": "The old man put out the lamp."}, {"id": "u", "target": "Too short."}])
    hits, share = found.search("Then the OLD man put-out the lamp")
    assert [hit[:2] for hit in hits] == [(5, 33)]
    assert share == 1 - 1 / 5
    assert found.short == 1
