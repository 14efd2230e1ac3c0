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
    write_text(tmp_path / "川书/target.txt", "河水流\n")
    with pytest.raises(DiscoError, match=r"source\.txt lies in no book"):
        read("cct", "niutrans", tmp_path / "川书")


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


def fiction(folder: Path, name: str, zh: str, en: str, level: str = "Orignal_Dataset/Fiction") -> None:
    write_text(folder / f"{level}/{name}.zh", zh)
    write_text(folder / f"{level}/{name}.en", en)


def test_chapters_of_fiction_by_line_where_there_are_lines(tmp_path: Path) -> None:
    fiction(tmp_path, "1", "下雪了。\n 风停了。", "It snowed.\nThe wind fell.\n")
    for name in ("1", "2"):
        fiction(tmp_path, name, "下雪了。 风停了。", "It snowed. The wind fell.", "_Dataset/Document_Level/Fiction")
    found = [row for row, reason in read("nt", "document_mt_llm", tmp_path) if reason is None]
    assert [(row["source_text"], row["references"]) for row in found] == [
        ("下雪了。", ["It snowed."]),
        ("风停了。", ["The wind fell."]),
        ("下雪了。 风停了。", ["It snowed. The wind fell."]),
    ]
    assert [row["work_id"] for row in found] == [f"mzprt:Web_Fiction_test-00{n}" for n in (1, 1, 2)]
    assert len({row["document_id"] for row in found}) == 2
    fiction(tmp_path, "3", "下雪了。\n风停了。", "It snowed.")
    with pytest.raises(DiscoError, match=r"3\.zh has 2 lines and its \.en 1; align them"):
        read("nt", "document_mt_llm", tmp_path)


PLAIN = """POEMS
=====

1. 雨 / Rain
   阿宁 / A Ning

五言絕句
雨落山中樹
風吹水上花
無人知此夜
獨有月還家

Rain falls on the hills
Wind blows on the water
No one knows the night
Only the moon goes home

---

2. 無題 / Untitled
   佚名 / Unknown

五言絕句
風吹水上花
無人知此夜

Rain falls on the hills
Wind blows on the water

---

=====
END
"""


def test_a_plain_poem_is_kept_where_no_line_is_lost(tmp_path: Path) -> None:
    write_text(tmp_path / "poems-plaintext.txt", PLAIN)
    (whole, reason), (_, lost) = read("pt", "plain_tang_poems", tmp_path)
    assert reason is None and lost == "lines of the poem or of its translation are lost"
    assert whole["source_text"] == "雨落山中樹風吹水上花無人知此夜獨有月還家"
    assert whole["references"][0].startswith("Rain falls on the hills Wind blows") and whole["work_id"] == "poet:阿宁"
    write_text(tmp_path / "poems-plaintext.txt", "1. 雨 / Rain\n阿宁\n")
    with pytest.raises(DiscoError, match=r"poems-plaintext\.txt, block 1 is no poem"):
        read("pt", "plain_tang_poems", tmp_path)


STANZAS = """# ctp1

## 阿寧 (Tang) - 雨

01 yuu luò
02 feng chui

01 雨落
02 風吹

01 Rain falls,
02 Wind blows.


03 yuè gui

03 月歸

03 The moon
goes home.

## 佚名 (701-762) 夜

yè

夜

Night
"""


def test_stanzas_line_up_by_their_place(tmp_path: Path) -> None:
    write_text(tmp_path / "ctp1.md", STANZAS)
    found = [row for row, reason in read("pt", "ctp", tmp_path) if reason is None]
    assert [(row["source_text"], row["references"][0]) for row in found] == [
        ("雨落風吹月歸", "Rain falls, Wind blows. The moon goes home."),
        ("夜", "Night"),
    ]
    assert [row["work_id"] for row in found] == ["poet:阿宁", "poet:夜"]
    write_text(tmp_path / "ctp1.md", STANZAS.replace("The moon\n", "The moon "))
    assert [row["source_text"] for row, _ in read("pt", "ctp", tmp_path)] == ["雨落", "風吹", "月歸", "夜"]
    write_text(tmp_path / "ctp1.md", "## 雨\n")
    with pytest.raises(DiscoError, match=r"ctp1\.md: found heading '雨'"):
        read("pt", "ctp", tmp_path)


def _found(form: str, folder: Path) -> list[tuple[dict[str, Any], str | None]]:
    return read("pt", form, folder / "Tang" if form == "chinese_poetry_bilingual" else folder)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("cct", "niutrans"),
        ("pt", "poetmt"),
        ("pt", "chinese_poetry_bilingual"),
        ("pt", "tang_poems"),
        ("pt", "ctp"),
        ("nt", "document_mt_llm"),
    ],
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
