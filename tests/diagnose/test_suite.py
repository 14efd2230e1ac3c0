"""Contrastive instances: what is refused, and where their candidates stand."""

from typing import Any

import pytest

from discobench.diagnose.suite import candidates, changed, check_suite
from discobench.errors import DiscoError
from discobench.formulations import ChoiceExample, TextExample
from discobench.tasks import task

COMMON = {"type": "reference", "context": "林姐放下伞。", "correct": "她坐下了。"}
WRONG = [{"text": "他坐下了。", "changes": [{"start": 0, "end": 1, "from": "她", "to": "他"}]}]
MRC = COMMON | {
    "id": "m:1:1",
    "task": "mrc",
    "incorrect": WRONG,
    "question": "谁坐下了？",
    "choices": ["林姐", "老王"],
    "answer": 0,
}
NT = COMMON | {
    "id": "n:1:1",
    "task": "nt",
    "current": "她坐下了。",
    "target_context": ["Lin put down her umbrella."],
    "correct": "She sat down.",
    "incorrect": [{"text": "He sat down."}],
}
TC = COMMON | {"id": "t:1:1", "task": "tc", "incorrect": WRONG, "hypothesis": "她累了。"}


def checked(row: dict[str, Any]) -> Any:
    return check_suite([row], task(row["task"]), "suite.jsonl")[0]


def test_choice_candidates_stand_in_the_passage() -> None:
    right, wrong = candidates(task("mrc"), checked(MRC))
    assert isinstance(right, ChoiceExample)
    assert isinstance(wrong, ChoiceExample)
    assert (right.id, wrong.id) == ("m:1:1#0", "m:1:1#1")
    assert (right.passage, wrong.passage) == ("林姐放下伞。她坐下了。", "林姐放下伞。他坐下了。")
    assert right.question == wrong.question
    assert right.answer == 0


def test_translations_differ_in_the_target() -> None:
    right, wrong = candidates(task("nt"), checked(NT))
    assert isinstance(right, TextExample)
    assert isinstance(wrong, TextExample)
    assert right.source == wrong.source == "林姐放下伞。她坐下了。"
    assert right.target == "Lin put down her umbrella. She sat down."
    assert wrong.target == "Lin put down her umbrella. He sat down."


def test_a_completion_is_the_whole_sequence() -> None:
    right, wrong = candidates(task("tc"), checked(TC))
    assert isinstance(right, TextExample)
    assert isinstance(wrong, TextExample)
    assert right.source == wrong.source == "林姐放下伞。"
    assert (right.target, wrong.target) == ("她坐下了。她累了。", "他坐下了。她累了。")


def test_hypotheses_of_completions_stay_the_same() -> None:
    right, wrong = candidates(task("tc"), checked(TC), "hypothesis")
    assert isinstance(right, TextExample)
    assert isinstance(wrong, TextExample)
    assert (right.source, wrong.source) == ("林姐放下伞。她坐下了。", "林姐放下伞。他坐下了。")
    assert right.target == wrong.target == "她累了。"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "irony"}, "'type' holds 'irony', one of repetition"),
        ({"answer": 2}, "'answer' holds 2"),
        ({"answer": "0"}, "'answer' holds '0', a value of type int"),
        ({"question": None}, "'question' holds None"),
        ({"incorrect": []}, "'incorrect' is empty"),
        ({"incorrect": [{"text": "她坐下了。"}]}, "holds the correct candidate"),
        ({"incorrect": [{"text": "它坐下了。", "changes": WRONG[0]["changes"]}]}, "do not turn"),
        ({"task": "nt"}, "the suite is for 'mrc'"),
        ({"mood": "x"}, "'mood' is unknown"),
        ({"choices": ["林姐", 2]}, r"'choices'\[1\] holds 2, a text is needed"),
        ({"target_context": "她"}, "'target_context' holds '她', a list is needed"),
        ({"incorrect": [{"text": "他坐下了。", "class": 3}]}, "has class 3, a text is needed"),
        ({"incorrect": [{"text": 3}]}, "a candidate with a text is needed"),
        ({"incorrect": [{"text": "x", "changes": ["y"]}]}, r"\[0\] holds 'y', an object with start, end, from, to"),
        ({"incorrect": [{"text": "x", "changes": [dict.fromkeys(("start", "end", "from", "to"))]}]}, "do not turn"),
    ],
)
def test_faults_name_file_line_and_field(change: dict[str, Any], message: str) -> None:
    with pytest.raises(DiscoError, match=r"suite\.jsonl, line 2: .*" + message):
        check_suite([MRC, MRC | {"id": "m:1:2"} | change], task("mrc"), "suite.jsonl")


def test_ids_are_unique_and_tasks_can_be_ranked() -> None:
    with pytest.raises(DiscoError, match="second time"):
        check_suite([MRC, MRC], task("mrc"), "suite.jsonl")
    with pytest.raises(DiscoError, match="cannot be ranked"):
        check_suite([MRC], task("si"), "suite.jsonl")


def test_changes_are_applied_from_the_end() -> None:
    changes = [{"start": 0, "end": 1, "from": "甲", "to": "甲甲"}, {"start": 2, "end": 3, "from": "丙", "to": ""}]
    assert changed("甲乙丙", changes) == "甲甲乙"
    assert changed("乙乙丙", changes) is None
