"""Formats of MRC: answers as text or letter, byte order marks, GBK, and what cannot be used."""

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import write_text
from discobench.tasks import formats, task

SPLITS = ("train", "valid", "test")


def outcomes(name: str, folder: Path) -> list[tuple[dict[str, Any], str | None]]:
    return [(dict(row), reason) for row, reason in formats.read(name, task("mrc"), folder, SPLITS)]


def write(path: Path, value: Any, mark: bytes = b"") -> None:
    path.write_bytes(mark + json.dumps(value, ensure_ascii=False, indent=1).replace("\n", "\r\n").encode())


def asked(answer: str, *choices: str) -> dict[str, Any]:
    return {"question": "谁去了？", "choice": list(choices), "answer": answer}


def test_c3_answers_are_choices(tmp_path: Path) -> None:
    write(tmp_path / "c3-d-dev.json", [[["男：你去吗？", "女：我去。"], [asked("女的", "男的", "女的")], "4-1"]])
    mixed = [asked("他", "他", "她", "它"), asked("你", "他", "她"), asked("他", "他", "她", "他")]
    write(tmp_path / "c3-m-train.json", [[["他去了。"], mixed, "4-1"]])
    found = outcomes("c3", tmp_path)
    assert [row["id"] for row, _ in found] == [
        *(f"c3:m-train-4-1:{n}" for n in range(3)),
        "c3:d-dev-4-1:0",
    ]
    assert [reason or task("mrc").check(row) for row, reason in found] == [
        None,
        "the answer is none of the choices",
        "two choices have the text of the answer",
        None,
    ]
    row = found[3][0]
    assert (row["passage"], row["answer"], row["style"]) == ("男：你去吗？\n女：我去。", 1, "dialogue")
    assert len({row["work_id"] for row, _ in found}) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([[["文"], [{"question": "？", "choice": ["一"]}], "1"]], r"c3-m-dev\.json: 0\.1\.0\.answer: Field required"),
        ([[["文"], [asked("一", "一")], 7]], r"c3-m-dev\.json: 0\.2: .*string"),
        ({"data": []}, r"c3-m-dev\.json: the whole file: .*array"),
    ],
)
def test_a_broken_document_is_named(tmp_path: Path, content: Any, message: str) -> None:
    write(tmp_path / "c3-m-dev.json", content)
    with pytest.raises(DiscoError, match=message):
        outcomes("c3", tmp_path)


def test_a_cut_file_and_an_empty_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"holds none of c3-m-train\.json"):
        outcomes("c3", tmp_path)
    write_text(tmp_path / "c3-m-dev.json", '[[["文"')
    with pytest.raises(DiscoError, match=r"c3-m-dev\.json: the whole file: Invalid JSON"):
        outcomes("c3", tmp_path)


def haihua(number: str, answer: str | None, *choices: str) -> dict[str, Any]:
    given = {} if answer is None else {"Answer": answer}
    return {"Q_id": number, "Question": "何者为是？", "Choices": list(choices), **given}


def test_haihua_has_lettered_choices_and_a_byte_order_mark(tmp_path: Path) -> None:
    right = haihua("000701", "B", "A．山高", "B．水长", "C. 月明", "D、风清")
    odd = [
        haihua("000702", "E", "A．山", "B．水"),
        haihua("000703", "A", "B．山", "A．水"),
        haihua("000704", None, "A．山", "B．水"),
        haihua("000705", "A", *(f"{letter}．{letter}" for letter in "ABCDEF")),
    ]
    passage = {"Content": "一篇课文。", "Type": "00", "Diff": 1, "Questions": [right, *odd]}
    write(tmp_path / "train.json", [passage], codecs.BOM_UTF8)
    (row, reason), *others = outcomes("haihua", tmp_path)
    assert reason is None and task("mrc").check(row) is None
    assert (row["choices"], row["answer"], row["style"]) == (["山高", "水长", "月明", "风清"], 1, "00")
    assert (row["id"], row["work_id"]) == ("haihua:train-0007:000701", "haihua:train-0007")
    assert [why for _, why in others] == [
        "answer E is the letter of no choice",
        "choices are not lettered in order",
        "no answer is given",
        "choices are not lettered in order",
    ]


def test_lfed_has_no_passages(tmp_path: Path) -> None:
    head = "名字,题目,选项1,选项2,选项3,选项4,答案\r\n"
    rows = '甲,"谁？",一,二,三,四,B\r\n甲,何处？,一,二,三,,D\r\n乙,何时？,一,"二,三",四,五,C2\r\n'
    (tmp_path / "LFED.csv").write_bytes((head + rows).encode("gbk"))
    assert [(row["id"], reason) for row, reason in outcomes("lfed", tmp_path)] == [
        ("lfed:甲:0", "a question on a whole novel has no passage"),
        ("lfed:甲:1", "answer D is the letter of no choice"),
        ("lfed:乙:2", "answer C2 is the letter of no choice"),
    ]
    (tmp_path / "LFED.csv").write_bytes((head + "甲,谁？,一\r\n").encode("gbk"))
    with pytest.raises(DiscoError, match=r"LFED\.csv, question 1: columns 名字"):
        outcomes("lfed", tmp_path)
    (tmp_path / "LFED.csv").write_bytes(head.encode("gbk") + b"\xff")
    with pytest.raises(DiscoError, match=r"LFED\.csv is not GBK at byte"):
        outcomes("lfed", tmp_path)
    (tmp_path / "LFED.csv").write_bytes(f'{head}甲,"{"谁" * 140_000}"'.encode("gbk"))
    with pytest.raises(DiscoError, match=r"LFED\.csv, line 2 is not CSV"):
        outcomes("lfed", tmp_path)
