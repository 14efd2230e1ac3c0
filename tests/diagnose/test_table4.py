"""Every row of Table 4, from a record of its task to what a model is asked: by own sentences and the paper's."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from discobench.diagnose.builder import Plan, build
from discobench.diagnose.suite import candidates, check_suite
from discobench.formulations import ChoiceExample, TextExample
from discobench.tasks import task
from tests.diagnose.test_builder import mrc, nt, tc

PLAN = Plan(seed=1, window=(2, 5), alternatives=99)
HEADINGS = {"mrc": "Conj.", "nt": "Refe.", "tc": "Repe."}
TYPES = {"mrc": "conjunction", "nt": "reference", "tc": "repetition"}
MISPRINTS = {"She think the Qingshuang": "She thinks Qingshuang"}
"""The paper changes more than the pronoun there."""
Row = dict[str, str]
OWN: dict[str, Row] = {
    "mrc": {
        "before": "小猫跳出院子。",
        "correct": "最后它躲进了竹林。",
        "incorrect": "然而它躲进了竹林。",
        "question": "小猫跑到了哪里？",
        "choices": "院子|竹林|河边",
        "answer": "竹林",
    },
    "nt": {
        "source": "文王微笑着看阿兰。",
        "before": "King Wen looked at Lan with a smile.",
        "current": "他想阿兰真怪。",
        "correct": "He thinks that Lan is odd.",
        "incorrect": "She thinks that Lan is odd.",
    },
    "tc": {
        "before": "老人的右臂受了伤。",
        "correct": "但他觉得右臂不疼了。",
        "incorrect": "但他觉得左手不疼了。",
        "hypothesis": "这药真灵！",
    },
}


def printed(text: str, heading: str) -> Row:
    """A row of Table 4: what its line labels, without the translations in brackets, and the hypothesis."""
    found = re.search(rf"^{re.escape(heading)}\t.*(?:\n(?!\w+\.\t|Ranking).*)*", text.partition("Table 4:")[2], re.M)
    assert found is not None
    line = found[0]

    def part(label: str) -> str:
        value = re.search(rf"\b{label}: ([^(\n\t]*?)(?= *(?:\(|Incorrect|Current|Correct|\t|$))", line, re.M)
        return value[1].strip() if value else ""

    context = re.search(r"Context: [^(]*\(([^)]*)\)", line)
    row = {name: part(name.capitalize()) for name in ("correct", "incorrect", "current")}
    if heading == "Refe.":
        row |= {
            "source": tight(part("Context")),
            "before": context[1] if context else "",
            "current": tight(row["current"]),
        }
        for misprint, meant in MISPRINTS.items():
            row["incorrect"] = row["incorrect"].replace(misprint, meant)
        return row
    row = {name: tight(text) for name, text in (row | {"before": part("Context")}).items()}
    last = re.sub(r"\([^()]*[a-z][^()]*\)", "", line.split("\t")[-1])
    if heading == "Repe.":
        return row | {"hypothesis": tight(last)}
    choices = [tight(choice) for choice in re.split(r"\([A-C]\)", last)[1:]]
    return row | {"question": tight(last.split("(A)")[0]), "choices": "|".join(choices), "answer": choices[1]}


def tight(text: str) -> str:
    return "".join(text.split())


def records(name: str, row: Row) -> list[dict[str, Any]]:
    """The row as instances of the task's test set."""
    if name == "mrc":
        choices = row["choices"].split("|")
        asked = {"question": row["question"], "choices": choices, "answer": choices.index(row["answer"])}
        return [mrc(1, passage=row["before"] + row["correct"], **asked)]
    if name == "nt":
        pairs = (row["source"], row["before"]), (row["current"], row["correct"])
        return [nt(1, n) | {"source_text": a, "references": [b]} for n, (a, b) in enumerate(pairs)]
    return [tc(1) | {"prompt": row["before"], "target": [row["correct"], row["hypothesis"], "天亮了。", "雨停了。"]}]


def built(name: str, row: Row) -> tuple[dict[str, Any], Any, Any]:
    """The instance of the row's type, and the examples of its correct candidate and of the row's incorrect one."""
    rows = [dict(one) for one, reason in build(task(name), records(name, row), PLAN) if reason is None]
    suite = [one for one in check_suite(rows, task(name), "built") if one["type"] == TYPES[name]]
    assert len(suite) == 1
    texts = [wrong["text"] for wrong in suite[0]["incorrect"]]
    examples = candidates(task(name), suite[0])
    return dict(suite[0]), examples[0], examples[1 + texts.index(row["incorrect"])]


@pytest.mark.parametrize("source", ["own", "paper"])
@pytest.mark.parametrize("name", HEADINGS)
def test_each_row(name: str, source: str) -> None:
    if source == "paper" and "DISCOBENCH_PAPER" not in os.environ:
        pytest.skip("DISCOBENCH_PAPER is not set")
    row = OWN[name]
    if source == "paper":
        row = printed((Path(os.environ["DISCOBENCH_PAPER"]) / "paper.txt").read_text("utf-8"), HEADINGS[name])
    assert all(row[key] for key in OWN[name]), row
    instance, right, wrong = built(name, row)
    assert instance["correct"] == row["correct"]
    if name == "mrc":  # context + correct or incorrect -> hypothesis
        assert isinstance(right, ChoiceExample) and isinstance(wrong, ChoiceExample)
        assert (right.passage, wrong.passage) == (row["before"] + row["correct"], row["before"] + row["incorrect"])
        assert (right.question, right.choices[right.answer or 0]) == (row["question"], row["answer"])
        assert right.answer == wrong.answer == 1 and len(right.choices) == 3
        return
    assert isinstance(right, TextExample) and isinstance(wrong, TextExample)
    assert right.source == wrong.source
    if name == "nt":  # context + current -> correct or incorrect
        assert right.source == row["source"] + row["current"]
        assert right.target == f"{row['before']} {row['correct']}"
        assert wrong.target == f"{row['before']} {row['incorrect']}"
    else:  # context + correct or incorrect + hypothesis
        assert right.source == row["before"]
        assert str(right.target).startswith(row["correct"] + row["hypothesis"])
        assert str(wrong.target).startswith(row["incorrect"] + row["hypothesis"])
