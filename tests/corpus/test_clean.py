"""Cleaning: normal form, boilerplate, filters, and the ten separators."""

import unicodedata
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.clean import Cleaner, Limits, unwrapped, without_boilerplate
from discobench.corpus.formats.base import Blob, Manner
from discobench.corpus.formats.base import Limits as Bounds
from discobench.corpus.formats.text import read_text
from discobench.corpus.rules import Rules, read_rules
from discobench.errors import DiscoError
from discobench.records import split_of

ROOT = Path(__file__).parents[2]
SHARES = {"valid": 0.2, "test": 0.2}
LIMITS = Limits(min_units=4, max_repetition=0.5, min_language=0.5, max_document_bytes=200)
SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def cleaner(rules: dict[str, Rules], language: str = "zh") -> Cleaner:
    return Cleaner(rules[language], LIMITS, SHARES, 7)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("他在门口等了一夜。", None),
        (" \n\u2028", "empty"),
        ("他来。", "too short"),
        ("他来了。" * 3, "repetitive"),
        ("he waited at the door all night 门", "other script"),
        ("风起于青萍之末。" + "".join(map(chr, range(0x4E00, 0x4E80))), "too large"),
    ],
)
def test_filters(
    rules: dict[str, Rules], document: Callable[..., dict[str, Any]], text: str, reason: str | None
) -> None:
    record, found = cleaner(rules).clean(document(text))
    assert found == reason
    assert record["split"] == split_of("g:w", SHARES, 7)


def test_text_is_nfc_with_exact_offsets(rules: dict[str, Rules], document: Callable[..., dict[str, Any]]) -> None:
    raw = unicodedata.normalize("NFD", "The café was shut.\u200b She went home\u2028and slept.")
    one = cleaner(rules, "en")
    record, reason = one.clean(document(raw, language="en"))
    pieces = [record["text"][span["start"] : span["end"]] for span in record["sentence_offsets"]]
    assert reason is None
    assert pieces == ["The café was shut.", "She went home and slept."]
    assert (record["units"], one.separators) == (9, 1)


def test_boilerplate_is_cut(rules: dict[str, Rules]) -> None:
    text = (
        "A licence.\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n\n\nOne.\n[Illustration: a sea]\n"
        "www.example.org\nTwo.\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\nMore.\n"
    )
    assert without_boilerplate(text, rules["en"]) == "One.\nTwo."
    assert without_boilerplate("　　他来了。\n（本章完）\n☆☆☆☆\n她走了。", rules["zh"]) == "他来了。\n她走了。"


def test_fixed_width_is_undone(rules: dict[str, Rules]) -> None:
    line = "a line of prose that was broken by a fixed width of letters"
    assert unwrapped(f"{line}\nand goes on\n\nverse\nverse", rules["en"]) == f"{line} and goes on\n\nverse\nverse"
    wide = "这是一行被固定宽度折断的文字它还没有说完就到了行尾所以下一行接着说"
    assert unwrapped(f"{wide}\n下去。\n床前明月光\n疑是地上霜", rules["zh"]) == f"{wide}下去。\n床前明月光\n疑是地上霜"


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
    base = {"title": None, "work_id": "g:w", "language": "zh"}
    outcomes = [one.clean({**base, "id": raw.place, "text": raw.text}) for raw in raws]
    assert [record["id"] for record, _ in outcomes] == [raw.place for raw in raws]
    assert one.separators == sum(character in SEPARATORS for line in written for character in line)
    assert not any(character in record["text"] for record, _ in outcomes for character in SEPARATORS)


@pytest.mark.parametrize("change", [{"headings": ["("]}, {"ends": []}, {"wrapped": None}, {"wrapped": {"shortest": 1}}])
def test_bad_rules_name_the_file(tmp_path: Path, change: dict[str, Any]) -> None:
    tree = yaml.safe_load((ROOT / "resources/cleaning/zh.yaml").read_text("utf-8"))
    (tmp_path / "zh.yaml").write_text(yaml.safe_dump({**tree, **change}), "utf-8")
    with pytest.raises(DiscoError, match=r"zh\.yaml"):
        read_rules(tmp_path / "zh.yaml")
