"""Subtitles: what is said in the genre's language, without the format's marks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Ingested = Callable[..., Any]
SRT = """1
00:00:01,000 --> 00:00:02,000
<i>{\\an8}你在哪里？</i>

2
00:00:03,000 --> 00:00:04,500
- 我在这里
- (门响)

3
00:00:05,000 --> 00:00:06,000
某某字幕组 翻译：某人
""".replace("\n", "\r\n")
ASS = """[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name\nStyle: Default\n\n[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\fad(1,1)}后来的话\\NLater words
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,你好\\NHello
Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,not said
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}
"""
VTT = """WEBVTT

NOTE nothing

00:01.000 --> 00:02.000 align:start
<v Ann>你好

00:03.000 --> 00:04.000
♪ 歌词 ♪&nbsp;<00:00:03.500>甲&amp;乙
"""


@pytest.mark.parametrize(
    ("name", "data", "language", "text"),
    [
        ("a.srt", SRT.encode("gb18030"), "zh", "你在哪里？\n我在这里"),
        ("a.srt", SRT.encode("utf-16"), "zh", "你在哪里？\n我在这里"),
        ("a.ass", ASS.encode(), "zh", "你好\n后来的话"),
        ("a.ass", ASS.encode(), "en", "Hello\nLater words"),
        ("a.vtt", VTT.encode(), "zh", "你好\n歌词 甲&乙"),
        ("a.srt", SRT.replace("\r\n", "\r").encode(), "zh", "你在哪里？\n我在这里"),
    ],
)
def test_subtitles(tmp_path: Path, ingested: Ingested, name: str, data: bytes, language: str, text: str) -> None:
    (tmp_path / name).write_bytes(data)
    ((record, reason),) = ingested(tmp_path, "file", language)
    assert (record["text"], reason) == (text, None)


def test_subtitles_that_are_none(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.srt").write_text("他在门口等了一夜。", "utf-8")
    (tmp_path / "b.ass").write_bytes(b"\x81\xff\xff")
    assert [reason for _, reason in ingested(tmp_path)] == ["not subtitles", "undecodable"]


SAID = (("你好", "Hello"), ("再见", "Bye"), ("走吧", "Let us go"))


def cue(second: int, text: str, late: int = 0) -> str:
    return f"1\n00:00:{second:02d},{late:03d} --> 00:00:{second:02d},{900 + late}\n{text}\n\n"


@pytest.mark.parametrize("late", [0, 90])
@pytest.mark.parametrize("apart", [True, False])
def test_translations_may_be_cues_of_their_own(tmp_path: Path, ingested: Ingested, apart: bool, late: int) -> None:
    """One behind each cue, or all behind all; a little later or not."""
    pairs = [(cue(n, zh), cue(n, en, late)) for n, (zh, en) in enumerate(SAID)]
    ordered = zip(*pairs, strict=True) if apart else pairs
    (tmp_path / "a.srt").write_text("".join(map("".join, ordered)), "utf-8", newline="\n")
    for column, language in enumerate(("zh", "en")):
        ((record, _),) = ingested(tmp_path, "file", language)
        assert record["text"].split("\n") == [pair[column] for pair in SAID]


def test_two_speakers_in_turn_are_no_translation(tmp_path: Path, ingested: Ingested) -> None:
    lines = [line for pair in SAID for line in pair]
    (tmp_path / "a.srt").write_text("".join(cue(n, line) for n, line in enumerate(lines)), "utf-8", newline="\n")
    assert [record["text"].split("\n") for record, _ in ingested(tmp_path)] == [lines]


@pytest.mark.parametrize("rolling", [True, False])
def test_cues_that_overlap_the_next_are_no_translation(tmp_path: Path, ingested: Ingested, rolling: bool) -> None:
    """Each is shown until the next is half over, or none has a time."""
    lines = [("OK" if n % 9 == 4 else f"第{n}句") for n in range(30)]
    times = [(n, n + 1.5) if rolling else (0, 0) for n in range(30)]
    shown = [f"00:00:{start:06.3f} --> 00:00:{end:06.3f}".replace(".", ",") for start, end in times]
    text = "".join(f"{n}\n{time}\n{line}\n\n" for n, (time, line) in enumerate(zip(shown, lines, strict=True)))
    (tmp_path / "a.srt").write_text(text, "utf-8", newline="\n")
    assert [record["text"].split("\n") for record, _ in ingested(tmp_path)] == [lines]


def test_an_arrow_in_what_is_said_makes_no_srt(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.ass").write_text("; made by hand\n" + ASS.replace("你好", "东京 --> 大阪"), "utf-8", newline="\n")
    (tmp_path / "b.srt").write_text("从东京 --> 大阪。", "utf-8", newline="\n")
    outcomes = [(record["text"].split("\n")[0], reason) for record, reason in ingested(tmp_path)]
    assert outcomes[0] == ("东京 --> 大阪", None) and outcomes[-1][1] == "not subtitles"


@pytest.mark.parametrize("said", ["{10}{20}字", "他说：\nWEBVTT 你好"])
def test_what_is_said_does_not_make_the_format(tmp_path: Path, ingested: Ingested, said: str) -> None:
    (tmp_path / "a.srt").write_text(cue(1, said) + cue(2, "再见"), "utf-8", newline="\n")
    ((record, reason),) = ingested(tmp_path)
    assert (record["text"].split("\n")[-2:], reason) == ([said.split("\n")[-1].replace("{10}{20}", ""), "再见"], None)


def test_words_above_the_first_cue_are_told(tmp_path: Path, ingested: Ingested) -> None:
    (tmp_path / "a.srt").write_text("片名\r\n\r\n" + cue(1, "你好").replace("\n", "\r\n"), "utf-8", newline="")
    (tmp_path / "b.srt").write_text("\n" + cue(1, "再见").removeprefix("1\n"), "utf-8", newline="\n")
    outcomes = [(record["text"], reason) for record, reason in ingested(tmp_path)]
    assert outcomes == [("片名", "no cue"), ("你好", None), ("再见", None)]
