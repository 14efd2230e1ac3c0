"""Bytes of all kinds with known text come back without a lost or invented character."""

from collections.abc import Callable

import pytest

from discobench.corpus.encodings import damaged, decode, detect

SIMPLIFIED = "夜里下了一场大雨，他在门口站了很久，没有人来。\n“你还不回去吗？”她问。\r\n他说：“再等一会儿。”"
TRADITIONAL = "夜裡下了一場大雨，他在門口站了很久，沒有人來。\n「你還不回去嗎？」她問。\r\n他說：「再等一會兒。」"
ENGLISH = "“It’s late,” she said — and the café was shut.\r\nHe paid the £5 and left…"
ONES = "一人一舟，一去不回。\n一年又一年，没有人来。"
"""The lower half of the number is a zero byte, as the upper one of a line end is."""

FIXTURES = [
    (SIMPLIFIED, "utf-8", "zh"),
    (SIMPLIFIED, "utf-8-sig", "zh"),
    (SIMPLIFIED, "utf-16", "zh"),
    (SIMPLIFIED, "utf-16-le", "zh"),
    (SIMPLIFIED, "utf-16-be", "zh"),
    (ONES, "utf-16-le", "zh"),
    (ONES, "utf-16-be", "zh"),
    (SIMPLIFIED, "gb18030", "zh"),
    (SIMPLIFIED, "gbk", "zh"),
    (SIMPLIFIED.replace("“", "").replace("”", ""), "gb2312", "zh"),
    (SIMPLIFIED.replace("\n", "\r"), "gb18030", "zh"),
    (SIMPLIFIED + "\ue5e5\U00020000", "gb18030", "zh"),
    (TRADITIONAL.replace("裡", "裏"), "cp950", "zh"),
    (TRADITIONAL, "big5", "zh"),
    (TRADITIONAL, "gb18030", "zh"),
    (ENGLISH, "cp1252", "en"),
    ("The café was shut: £5, ½ past nine.\r", "latin-1", "en"),
    (ENGLISH, "utf-8", "en"),
    (ENGLISH, "utf-16", "en"),
    (ENGLISH, "utf-32", "en"),
    (SIMPLIFIED, "utf-32", "zh"),
    (ONES, "utf-32-le", "zh"),
    (SIMPLIFIED.replace("\n", "\r"), "utf-32-be", "zh"),
]


@pytest.mark.parametrize(("text", "encoding", "language"), FIXTURES)
def test_known_text_comes_back(text: str, encoding: str, language: str) -> None:
    decoded = decode(text.encode(encoding), language)
    assert decoded is not None
    assert decoded.text == text


def test_a_short_gbk_line_is_not_taken_for_big5() -> None:
    decoded = decode("他走了".encode("gbk"), "zh")
    assert decoded is not None
    assert decoded.text == "他走了"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_a_stray_zero_does_not_make_it_utf16(encoding: str) -> None:
    decoded = decode(f"{SIMPLIFIED}\0".encode(encoding), "zh")
    assert decoded is not None
    assert decoded.text == f"{SIMPLIFIED}\0"


@pytest.mark.parametrize("data", [b"\xff\xff\xff\x81", "他来了".encode() + b"\xff\xfe\x80", b"\xff\xfe\x00"])
def test_undecodable_bytes_give_none(data: bytes) -> None:
    assert decode(data, "zh") is None


@pytest.mark.parametrize(("text", "language"), [(SIMPLIFIED * 9, "zh"), (TRADITIONAL * 9, "zh"), (ENGLISH * 9, "en")])
@pytest.mark.parametrize(
    "change", [lambda data: data[:-1], lambda data: data[:1] + data[2:], lambda data: data + b"\xe9"]
)
def test_damaged_utf8_is_not_taken_for_another_encoding(
    text: str, language: str, change: Callable[[bytes], bytes]
) -> None:
    """GB18030 and Windows-1252 would decode it, to nonsense."""
    data = change(f"{text}“”".encode())
    assert decode(data, language) is None
    assert damaged(data)
    assert detect([data[:100], data[100:]], language) == ("utf-8", 0)


@pytest.mark.parametrize(("text", "encoding", "language"), FIXTURES)
def test_large_texts_are_told_by_the_same_rules(text: str, encoding: str, language: str) -> None:
    data = ("plain\n" + text).encode(encoding)
    found = decode(data, language)
    assert found is not None
    assert detect([data[:10], data[10:20], data[20:]], language) == (found.encoding, found.start)
