"""Cleaning: normal form, width, script, boilerplate, scores beside the text, and the ten separators."""

import unicodedata
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.clean import Cleaner, Forms, unwrapped, without_boilerplate
from discobench.corpus.filters import REASONS, Limits, failures
from discobench.corpus.formats.base import Blob, Manner
from discobench.corpus.formats.base import Limits as Bounds
from discobench.corpus.formats.text import read_text
from discobench.corpus.rules import Rules, read_rules
from discobench.errors import DiscoError
from discobench.records import split_of
from discobench.schema import empty, schema

ROOT = Path(__file__).parents[2]
SHARES = {"valid": 0.2, "test": 0.2}
LIMITS = Limits(4, max_bytes=200, max_repetition=0.5, min_language=0.5, max_digits=0.3, max_marks=0.5)
SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
BASE = {"id": "g:w:0", "source": "g", "work_id": "g:w", "sentence_offsets": []}
Make = Callable[..., dict[str, Any]]


def cleaner(rules: dict[str, Rules], language: str = "zh", width: Any = "letters", simplify: bool = False) -> Cleaner:
    return Cleaner(rules[language], language, Forms(width, simplify), SHARES, 7)


def cleaned(one: Cleaner, texts: Sequence[str], **fields: Any) -> list[dict[str, Any]]:
    rows = [empty("document") | BASE | {"id": str(n), "text": text} | fields for n, text in enumerate(texts)]
    return one(pa.Table.from_pylist(rows, schema=schema("document"))).to_pylist()


def pieces(record: dict[str, Any]) -> list[str]:
    return [record["text"][span["start"] : span["end"]] for span in record["sentence_offsets"]]


FILTERED = {
    "他在门口等了一夜。": None,
    " \n\u2028": "empty",
    "他来。": "too short",
    "他来了。" * 3: "repetitive",
    "he waited at the door all night 门": "other script",
    "风起于青萍之末。" + "".join(map(chr, range(0x4E00, 0x4E80))): "too large",
    "电话１２３４５６，你记下。": "digits",
    "他……！？……——！？……，她……": "marks",
}


def test_scores_lie_beside_the_text_and_filters_look_at_them(rules: dict[str, Rules]) -> None:
    one = cleaner(rules)
    records = cleaned(one, list(FILTERED))
    (scores,) = one.scores
    assert scores["id"].to_pylist() == [record["id"] for record in records]
    codes = failures(scores, LIMITS)
    assert [REASONS[code - 1] if code else None for code in codes] == list(FILTERED.values())
    loose = Limits(0, max_bytes=9999, max_repetition=1, min_language=0, max_digits=1, max_marks=1)
    assert [REASONS[code - 1] for code in failures(scores, loose) if code] == ["empty"]
    assert {record["split"] for record in records} == {split_of("g:w", SHARES, 7)}


def test_scores_are_what_they_say(rules: dict[str, Rules]) -> None:
    one = cleaner(rules)
    cleaned(one, ["他说：“好。”a1\n他来。\n他来。"])
    (row,) = one.scores[0].to_pylist()
    expected = {"id": "0", "units": 15, "bytes": 43, "repetition": 1 - 3 / 4, "script": 7 / 8, "digits": 1 / 15}
    assert row == expected | {"marks": 6 / 15}


def test_text_is_nfc_with_exact_offsets(rules: dict[str, Rules]) -> None:
    raw = unicodedata.normalize("NFD", "The café was shut.\u200b She went home\u2028and slept.")
    one = cleaner(rules, "en")
    (record,) = cleaned(one, [raw], language="en")
    assert pieces(record) == ["The café was shut.", "She went home and slept."]
    assert (record["units"], one.notes["separators"]) == (9, 1)


@pytest.mark.parametrize(
    ("width", "text"),
    [("keep", "Ａ１，ｂ！　好。"), ("letters", "A1，b！　好。"), ("all", "A1,b! 好。")],
)
def test_width_is_a_choice(rules: dict[str, Rules], width: str, text: str) -> None:
    (record,) = cleaned(cleaner(rules, width=width), ["Ａ１，ｂ！　好。"], title="卷Ａ")
    assert record["text"] == text
    assert record["title"] == ("卷Ａ" if width == "keep" else "卷A")


def test_traditional_characters_are_simplified_where_asked(rules: dict[str, Rules]) -> None:
    raw = "頭髮乾了，皇后在後面發現了乾坤。"
    assert cleaned(cleaner(rules), [raw])[0]["text"] == raw
    (record,) = cleaned(cleaner(rules, simplify=True), [raw], title="紅樓")
    assert (record["text"], record["title"]) == ("头发干了，皇后在后面发现了乾坤。", "红楼")


def test_boilerplate_is_cut_and_counted(rules: dict[str, Rules]) -> None:
    text = (
        "A licence.\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n\n\nOne.\n[Illustration: a sea]\n"
        "www.example.org\nTwo.\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\nMore.\n"
    )
    gone = sum(map(len, text.split("\n"))) - len("One.Two.")
    assert without_boilerplate(text.split("\n"), rules["en"]) == (["One.", "Two."], gone)
    assert without_boilerplate(["　　他来了。", "（本章完）", "☆☆☆☆", "她走了。"], rules["zh"]) == (
        ["他来了。", "她走了。"],
        9,
    )
    assert without_boilerplate([" 他来了。", "", " ", "", "她走了。", "", ""], rules["zh"]) == (
        ["他来了。", "", "她走了。"],
        0,
    )


def test_each_work_of_a_file_has_a_frame_of_its_own(rules: dict[str, Rules]) -> None:
    name = "THE PROJECT GUTENBERG EBOOK X"
    frame = f"Head.\n*** START OF {name} ***\n{{}}\n*** END OF {name} ***\nFoot.\n"
    text = frame.format("One.") + frame.format("Two.")
    assert without_boilerplate(text.split("\n"), rules["en"])[0] == ["One.", "Two."]
    small = "*END*THE SMALL PRINT! FOR ETEXTS*Ver.1*END*\n"
    old = f"Head.\n{small}One.\nEnd of the Project Gutenberg Etext of X\nFoot.\n"
    assert without_boilerplate(old.split("\n"), rules["en"])[0] == ["One."]


def test_fixed_width_is_undone(rules: dict[str, Rules]) -> None:
    line = "a line of prose that was broken by a fixed width of letters"
    assert unwrapped([line, "and goes on", "", "verse", "verse"], rules["en"]) == [
        f"{line} and goes on",
        "",
        "verse",
        "verse",
    ]
    assert unwrapped([line, line, "end", "", "verse"], rules["en"]) == [f"{line} {line} end", "", "verse"]
    wide = "这是一行被固定宽度折断的文字它还没有说完就到了行尾所以下一行接着说"
    assert unwrapped([wide, "下去。", "床前明月光", "疑是地上霜"], rules["zh"]) == [
        f"{wide}下去。",
        "床前明月光",
        "疑是地上霜",
    ]
    assert unwrapped([f"{wide}。", "下去。"], rules["zh"]) == [f"{wide}。", "下去。"]


@given(
    st.lists(st.text(alphabet='风雨 ab.。A“”"\u2028\x00１\n', max_size=30), max_size=6), st.sampled_from(["zh", "en"])
)
def test_a_batch_is_cleaned_as_its_documents_are_alone(texts: list[str], language: str) -> None:
    rules = {language: read_rules(ROOT / f"resources/cleaning/{language}.yaml")}
    together, alone = cleaner(rules, language), cleaner(rules, language)
    records = cleaned(together, texts)
    assert records == [{**cleaned(alone, [text])[0], "id": str(n)} for n, text in enumerate(texts)]
    assert together.notes == alone.notes
    assert [row | {"id": ""} for table in alone.scores for row in table.to_pylist()] == [
        row | {"id": ""} for table in together.scores for row in table.to_pylist()
    ]


@given(
    st.lists(st.text(alphabet="风雨来去。" + SEPARATORS, min_size=1, max_size=8), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_ten_separators_change_no_count(lines: list[str], end: str) -> None:
    """Documents that are lines: as many after reading and cleaning as lines were written."""
    rules = {"zh": read_rules(ROOT / "resources/cleaning/zh.yaml")}
    written = [f"夜{line}归" for line in lines]
    data = (end.join(written) + end).encode("utf-8")
    manner = Manner("line", "zh", rules["zh"], Bounds(200, 10_000, 10))
    raws = list(read_text(Blob(lambda at: BytesIO(data[at:])), manner))
    assert len({raw.place for raw in raws}) == len(lines)
    one = cleaner(rules)
    records = cleaned(one, [raw.text for raw in raws])
    assert [record["id"] for record in records] == [str(n) for n in range(len(raws))]
    assert one.notes["separators"] == sum(character in SEPARATORS for line in written for character in line)
    assert not any(character in record["text"] for record in records for character in SEPARATORS)


@pytest.mark.parametrize("change", [{"headings": ["("]}, {"ends": []}, {"wrapped": None}, {"wrapped": {"shortest": 1}}])
def test_bad_rules_name_the_file(tmp_path: Path, change: dict[str, Any]) -> None:
    tree = yaml.safe_load((ROOT / "resources/cleaning/zh.yaml").read_text("utf-8"))
    (tmp_path / "zh.yaml").write_text(yaml.safe_dump({**tree, **change}), "utf-8")
    with pytest.raises(DiscoError, match=r"zh\.yaml"):
        read_rules(tmp_path / "zh.yaml")
