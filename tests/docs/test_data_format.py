"""The documented format, followed verbatim: every example is read, used, and has every field of its task."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from discobench.files import read_text, write_text
from discobench.schema import schema
from discobench.tasks import formats, task
from tests.conftest import ROOT
from tests.tasks.test_tasks import NAMES

BLOCK = re.compile(r"^```jsonl task=(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = dict(BLOCK.findall(read_text(ROOT / "docs/data-format.md")))


def outcomes(folder: Path, name: str, text: str) -> list[tuple[dict[str, Any], str | None]]:
    write_text(folder / "train.jsonl", text)
    return [(dict(row), why) for row, why in formats.read("interchange", task(name), folder, ("train",))]


def test_every_task_has_an_example():
    assert sorted(BLOCKS) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_are_read_as_they_stand(tmp_path: Path, name: str):
    found = outcomes(tmp_path, name, BLOCKS[name])
    written = [json.loads(line) for line in BLOCKS[name].strip().split("\n")]
    assert [(row, why) for row, why in found] == [(row | {"split": "train"}, None) for row in written]
    assert all(set(row) == set(schema(task(name).schema).names) - {"split"} for row in written)
    assert all(task(name).example(row) and task(name).gold(row) not in (None, []) for row, _ in found)


BROKEN = {
    "si": ({"utterance_start": 3}, "utterance_start and utterance_end do not cut the utterance out of the context"),
    "zpr": ({"text": "还"}, "an offset of zeros lies outside the text"),
    "mrc": ({"answer": 7}, "answer 7 is not an index of choices"),
    "nt": ({"references": []}, "references hold an empty text"),
    "cct": ({"source_text": "\u3000"}, "source_text is empty"),
    "pt": ({"document_id": None}, "document_id is empty"),
    "te": ({"source_text": "A dog slept."}, "source_text is not target without its insertions and edits"),
    "ti": ({"before": []}, "before and after must hold two sentences each that are not empty"),
    "tc": ({"target": ["雨停了。"]}, "target must hold four sentences that are not empty"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_record_that_does_not_fit_is_dropped_by_file_line_and_field(tmp_path: Path, name: str):
    changes, reason = BROKEN[name]
    first = json.loads(BLOCKS[name].split("\n")[0])
    text = "\n" + json.dumps(first | changes | {"id": "odd"}, ensure_ascii=False) + "\n" + BLOCKS[name]
    (row, why), *others = outcomes(tmp_path, name, text)
    assert (row["id"], why) == ("odd", reason)
    assert row["member"] == f"{tmp_path / 'train.jsonl'}, line 2"
    assert others and all(good is None for _, good in others)
