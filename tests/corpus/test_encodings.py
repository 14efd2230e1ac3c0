"""Bytes of twelve kinds with known text come back without a lost or invented character."""

import pytest

from discobench.corpus.encodings import decode

SIMPLIFIED = "夜里下了一场大雨，他在门口站了很久，没有人来。\n“你还不回去吗？”她问。\r\n他说：“再等一会儿。”"
TRADITIONAL = "夜裡下了一場大雨，他在門口站了很久，沒有人來。\n「你還不回去嗎？」她問。\r\n他說：「再等一會兒。」"
ENGLISH = "“It’s late,” she said — and the café was shut.\r\nHe paid the £5 and left…"

FIXTURES = [
    (SIMPLIFIED, "utf-8", "zh"),
    (SIMPLIFIED, "utf-8-sig", "zh"),
    (SIMPLIFIED, "utf-16", "zh"),
    (SIMPLIFIED, "utf-16-le", "zh"),
    (SIMPLIFIED, "utf-16-be", "zh"),
    (SIMPLIFIED, "gb18030", "zh"),
    (SIMPLIFIED, "gbk", "zh"),
    (TRADITIONAL, "big5", "zh"),
    (TRADITIONAL, "gb18030", "zh"),
    (ENGLISH, "cp1252", "en"),
    (ENGLISH, "utf-8", "en"),
    (ENGLISH, "utf-16", "en"),
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
