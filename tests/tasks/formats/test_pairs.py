"""NiuTrans and the collections of poems, in texts of our own."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import write_json, write_jsonl, write_text
from discobench.tasks import formats, task
from discobench.tasks.formats.poetmt import restored

SPLITS = ("train", "valid", "test")


def read(name: str, form: str, folder: Path) -> list[tuple[dict[str, Any], str | None]]:
    found = [
        (dict(row), reason or task(name).check(row)) for row, reason in formats.read(form, task(name), folder, SPLITS)
    ]
    assert len({row["id"] for row, _ in found}) == len(found)
    return found


def test_chapters_lie_at_any_depth_and_edges_are_trimmed(tmp_path: Path) -> None:
    write_text(tmp_path / "山书/上/首章/source.txt", " 山高水长。\u3000\n\ue001水清 木茂\n\n")
    write_text(tmp_path / "山书/上/首章/target.txt", "山很高，水很长。\n水清，树木茂盛\n空\n")
    write_text(tmp_path / "山书/上/首章/bitext.txt", "古文：山高水长。\n")
    write_text(tmp_path / "川书/source.txt", "川流\n")
    write_text(tmp_path / "川书/target.txt", "河水流\n")
    rows = {row["id"]: (row, reason) for row, reason in read("cct", "niutrans", tmp_path)}
    first = rows["niutrans:山书:上/首章:0"][0]
    assert (first["source_text"], first["references"]) == ("山高水长。", ["山很高，水很长。"])
    assert (first["work_id"], first["document_id"]) == ("niutrans:山书", "niutrans:山书:上/首章")
    assert rows["niutrans:山书:上/首章:1"][0]["source_text"] == "\ue001水清 木茂"
    assert rows["niutrans:山书:上/首章:2"][1] == "source_text is empty"
    assert rows["niutrans:川书:0:0"][1] is None


def test_a_chapter_that_does_not_line_up_is_named(tmp_path: Path) -> None:
    write_text(tmp_path / "川书/source.txt", "川流\n")
    write_text(tmp_path / "川书/target.txt", "河水\n流\n")
    with pytest.raises(DiscoError, match=r"川书/source\.txt has 1 lines and target\.txt 2"):
        read("cct", "niutrans", tmp_path)


@pytest.mark.parametrize(
    ("whole", "wanted"),
    [
        ("Rain on the lake,Wind in the reeds.", "Rain on the lake, Wind in the reeds."),
        ("The boat is goneAnd so am I!", "The boat is gone And so am I!"),
        ("“Who comes?”I ask;“a friend,”says he.", "“Who comes?” I ask; “a friend,” says he."),
        ("We don’t know. It’s late.注释：A note", "We don’t know. It’s late."),
        ("Cold! 注释:", "Cold!"),
        ("At 3.30, as it is.", "At 3.30, as it is."),
    ],
)
def test_lost_line_breaks_become_blanks_and_headings_of_notes_go(whole: str, wanted: str) -> None:
    assert restored(whole) == wanted


def poem(**changes: str) -> dict[str, str]:
    return {"title": "雨", "author": "阿宁", "src": "雨落。", "ref": "Rain falls."} | changes


def test_poems_of_poetmt_are_whole_and_what_is_cut_off_goes(tmp_path: Path) -> None:
    rows = [poem(ref="Rain falls,Wind"), poem(ref="Rain falls.雨"), poem(ref=""), poem(author="无名氏"), poem()]
    write_jsonl(tmp_path / "tang.jsonl", rows)
    write_jsonl(tmp_path / "tang-background.jsonl", [poem()])
    found = read("pt", "poetmt", tmp_path)
    assert [reason for _, reason in found] == [
        "the reference stops in mid-sentence",
        "the reference holds Chinese characters",
        "references hold an empty text",
        None,
        None,
    ]
    assert [row["work_id"] for row, _ in found[-2:]] == ["poet:雨", "poet:阿宁"]


def test_one_poet_is_one_work_in_every_collection(tmp_path: Path) -> None:
    lines = {"content": ["雨落，", "风起。"], "title": "雨", "author": "阿宁"}
    english = {"content": ["Rain falls,", "Wind rises."], "title": "Rain", "author": "A Ning"}
    odd = english | {"content": ["Rain falls, and the wind rises."]}
    (tmp_path / "Tang").mkdir()
    write_json(tmp_path / "Tang/Tang.json", [{"Chinese": lines, "English": e} for e in (english, odd)])
    part = {"id": 7, "title": "雨", "author": "阿宁", "content": "雨落\n风起", "translation": "Rain\nWind"}
    write_text(tmp_path / "extra_poems_part1.json", json.dumps([part], ensure_ascii=False))
    write_jsonl(tmp_path / "tang.jsonl", [poem()])
    found = [row for form in ("chinese_poetry_bilingual", "tang_poems", "poetmt") for row, _ in _found(form, tmp_path)]
    assert {row["work_id"] for row in found} == {"poet:阿宁"}
    assert [(row["source_text"], row["references"][0]) for row in found[:3]] == [
        ("雨落，", "Rain falls,"),
        ("风起。", "Wind rises."),
        ("雨落，风起。", "Rain falls, and the wind rises."),
    ]
    assert [row["source_text"] for row in found[3:5]] == ["雨落", "风起"]


def _found(form: str, folder: Path) -> list[tuple[dict[str, Any], str | None]]:
    return read("pt", form, folder / "Tang" if form == "chinese_poetry_bilingual" else folder)


@pytest.mark.parametrize(
    ("name", "form"),
    [("cct", "niutrans"), ("pt", "poetmt"), ("pt", "chinese_poetry_bilingual"), ("pt", "tang_poems")],
)
def test_an_empty_folder_is_named(tmp_path: Path, name: str, form: str) -> None:
    with pytest.raises(DiscoError, match="holds no"):
        read(name, form, tmp_path)


@pytest.mark.parametrize(
    ("form", "file", "text", "said"),
    [
        ("poetmt", "tang.jsonl", '{"title": "雨", "author": "阿宁", "src": "雨落。"}', "line 1: ref: Field required"),
        ("tang_poems", "extra_poems_part1.json", '[{"id": 7}]', "0.title: Field required"),
        ("tang_poems", "extra_poems_part1.json", "{}", "the whole file: Input should be a valid"),
        ("chinese_poetry_bilingual", "Tang.json", '[{"Chinese": null}]', "0.Chinese: Input should be"),
    ],
)
def test_a_poem_that_is_not_of_the_format_is_named(tmp_path: Path, form: str, file: str, text: str, said: str) -> None:
    write_text(tmp_path / file, text)
    with pytest.raises(DiscoError, match=re.escape(file)) as raised:
        read("pt", form, tmp_path)
    assert said in str(raised.value) and "mend the file" in str(raised.value)
