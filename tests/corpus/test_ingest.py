"""Raw files to records: units, ids, bytes, reasons, and works."""

import gzip
import itertools
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from discobench import progress
from discobench.corpus.formats.base import Source
from discobench.corpus.ingest import ingest

BOOK = "前言的一行。\n第一章 雨夜\n他来了。\n第一章里的事还没有完。\n\n第二章\n第三回 归途\n她走了。\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_chapters_keep_title_and_bytes(tmp_path: Path, ingested: Callable[..., Any], encoding: str) -> None:
    data = BOOK.replace("\n", "\r\n").encode(encoding)
    (tmp_path / "moon.txt").write_bytes(data)
    outcomes = ingested(tmp_path, "chapter")
    assert [(record["id"], record["title"], reason) for record, reason in outcomes] == [
        ("g:moon:000000", None, None),
        ("g:moon:000001", "第一章 雨夜", None),
        ("g:moon:000002", "第二章", "empty"),
        ("g:moon:000003", "第三回 归途", None),
    ]
    for record, _ in outcomes:
        piece = data[record["byte_start"] : record["byte_end"]]
        plain = encoding.replace("utf-8-sig", "utf-8").replace("utf-16", "utf-16-le")
        lines = piece.decode(plain).replace("\r\n", "\n")
        assert lines.removeprefix(f"{record['title']}\n").rstrip("\n") == record["text"].rstrip("\n")


BOOK_OF = """The Project Gutenberg eBook of The Lamp

Title: The Lamp

Author: A. Writer

*** START OF THE PROJECT GUTENBERG EBOOK THE LAMP ***

Title: not this one
CHAPTER I
She waited.
CHAPTER II
She left.
"""


def test_what_stands_above_a_book_says_its_title_and_author(tmp_path: Path, ingested: Callable[..., Any]) -> None:
    (tmp_path / "lamp.txt").write_bytes(BOOK_OF.replace("\n", "\r\n").encode())
    facts = [(record["title"], record["author"]) for record, _ in ingested(tmp_path, "file", "en")]
    assert facts == [("The Lamp", "A. Writer")]
    chapters = [(record["title"], record["author"]) for record, _ in ingested(tmp_path, "chapter", "en")]
    assert chapters == [(title, "A. Writer") for title in ("The Lamp", "CHAPTER I", "CHAPTER II")]
    assert {record["author"] for record, _ in ingested(tmp_path, "line", "en")} == {None}


def test_what_no_frame_follows_says_nothing(tmp_path: Path, ingested: Callable[..., Any]) -> None:
    (tmp_path / "lamp.txt").write_text(BOOK_OF.replace("***", "###"), "utf-8")
    assert [(record["title"], record["author"]) for record, _ in ingested(tmp_path, "file", "en")] == [("lamp", None)]


def test_english_headings(tmp_path: Path, ingested: Callable[..., Any]) -> None:
    text = "Chapter 1\nOne.\nCHAPTER II. The Storm\nTwo.\nChapters end.\nPart Two\nThree.\nPart of it.\nACT I\nFour.\n"
    (tmp_path / "sea.txt").write_text(text, "utf-8")
    titles = [record["title"] for record, _ in ingested(tmp_path, "chapter", "en")]
    assert titles == ["Chapter 1", "CHAPTER II. The Storm", "Part Two", "ACT I"]


def test_every_fault_of_a_file_is_a_reason(tmp_path: Path, ingested: Callable[..., Any]) -> None:
    (tmp_path / "a.txt").write_bytes(b"")
    (tmp_path / "b.txt").write_bytes("他来了".encode() + b"\xff\xfe\x80")
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress("他来了。".encode())[:-6])
    (tmp_path / "d.rar").write_bytes(b"PK")
    (tmp_path / "e.txt.gz").write_bytes(gzip.compress("他来了。".encode()))
    reasons = [reason for _, reason in ingested(tmp_path)]
    assert reasons == ["empty", "undecodable", "broken archive", "unknown format .rar", None]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_json_lines(tmp_path: Path, ingested: Callable[..., Any], suffix: str) -> None:
    rows = ['{"text": "他\u2028来了。", "title": "雨", "work": "w:1"}', "", "{", '{"body_": "x"}', '{"text": " "}']
    data = "\n".join(rows).encode()
    (tmp_path / f"many{suffix}").write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    outcomes = ingested(tmp_path)
    assert [reason for _, reason in outcomes] == [None, "not JSON", "no text field", "empty"]
    first = outcomes[0][0]
    assert (first["id"], first["work_id"], first["title"]) == ("g:w_1:many/000000000000", "g:w_1", "雨")
    for record, _ in outcomes:
        assert data[record["byte_start"] : record["byte_end"]].decode().strip() in rows
    assert json.loads(data[first["byte_start"] : first["byte_end"]])["text"] == first["text"]


def test_json_that_is_no_text_is_dropped_with_a_reason(tmp_path: Path, ingested: Callable[..., Any]) -> None:
    rows = ['{"text": "\\ud800他来了。"}', '{"text": "他来了。", "title": "\\udc00"}', "[" * 100_000]
    (tmp_path / "odd.jsonl").write_text("\n".join(rows), "utf-8")
    (tmp_path / "pages.json").write_text(f"[{rows[0]}, {rows[1]}, NaN, {rows[0].replace('d800', '96e8')}]", "utf-8")
    halves, other = ["undecodable", "undecodable"], ["no text field", None]
    assert [reason for _, reason in ingested(tmp_path)] == [*halves, "not JSON", *halves, *other]


@pytest.mark.parametrize(
    ("work", "ids"),
    [
        ("folder", ["g:river:1/000000", "g:river:2/000000", "g:sea:000000"]),
        ("file", ["g:river/1:000000", "g:river/2:000000", "g:sea:000000"]),
        ("document", ["g:river/1/000000:000000", "g:river/2/000000:000000", "g:sea/000000:000000"]),
    ],
)
def test_what_shares_a_split(tmp_path: Path, ingested: Callable[..., Any], work: str, ids: list[str]) -> None:
    for name in ("river/1.txt", "river/2.txt", "sea.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("他来了。", "utf-8")
    found = ingested(tmp_path, work=work)
    assert [record["id"] for record, _ in found] == ids
    assert all(record["id"].startswith(f"{record['work_id']}:") for record, _ in found)


@pytest.mark.parametrize("work", ["folder", "file", "document"])
def test_a_record_may_name_its_work(tmp_path: Path, ingested: Callable[..., Any], work: str) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "夜。", "work": "b"}\n{"text": "雨。", "work": "a"}\n', "utf-8")
    found = ingested(tmp_path, work=work)
    assert [record["work_id"] for record, _ in found] == ["g:b", "g:a"]
    assert found[0][0]["id"] == "g:b:a/000000000000"


def test_blocks_have_empty_lines_between(tmp_path: Path, ingested: Callable[..., Any]) -> None:
    (tmp_path / "talk.txt").write_bytes("\n甲：来了？\n乙：来了。\n \n\n甲：走吧。".encode())
    texts = [record["text"].strip() for record, _ in ingested(tmp_path, "block")]
    assert texts == ["甲：来了？\n乙：来了。", "甲：走吧。"]


def test_a_long_file_says_how_much_of_it_was_read(
    tmp_path: Path,
    kind: Callable[..., Any],
    rules: dict[str, Any],
    bounds: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """By the bytes of its documents; by its own once it is read, where it is packed."""
    caplog.set_level(logging.INFO)
    time = itertools.count(0, 40)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(time))
    line = "他在河边等了一个下午。".ljust(166_666, "雨") + "\n"
    (tmp_path / "a.txt").write_bytes(line.encode() * 4)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(Random(0).randbytes(375_000).hex().encode()))
    sources = [Source(name, (tmp_path / name).stat().st_size) for name in ("a.txt", "b.txt.gz")]
    total = sum(source.bytes for source in sources)
    list(ingest("g", kind(tmp_path, "line"), sources, rules["zh"], bounds, total))
    assert re.findall(r"g: \d of 2 MB \((\d+)%\)", caplog.text) == ["21", "41", "62", "82", "82", "82", "100"]
