"""Raw files to records: units, ids, bytes, reasons, shards."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.ingest import Kind, ingest
from discobench.corpus.rules import Rules
from discobench.corpus.sources import Source, list_sources, of_shard
from discobench.errors import DiscoError

BOOK = "前言的一行。\n第一章 雨夜\n他来了。\n第一章里的事还没有完。\n\n第二章\n第三回 归途\n她走了。\n"


def sources(folder: Path) -> list[Source]:
    return [Source(entry["path"], entry["bytes"]) for entry in list_sources(folder, "genres.g.path")]


def ingested(kind: Kind, rules: dict[str, Rules]) -> list[tuple[Any, str | None]]:
    return list(ingest("g", kind, sources(Path(kind.path)), rules[kind.language]))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_chapters_keep_title_and_bytes(
    tmp_path: Path, kind: Callable[..., Kind], rules: dict[str, Rules], encoding: str
) -> None:
    data = BOOK.replace("\n", "\r\n").encode(encoding)
    (tmp_path / "moon.txt").write_bytes(data)
    outcomes = ingested(kind(tmp_path, "chapter"), rules)
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


def test_english_headings(tmp_path: Path, kind: Callable[..., Kind], rules: dict[str, Rules]) -> None:
    (tmp_path / "sea.txt").write_text("Chapter 1\nOne.\nCHAPTER II. The Storm\nTwo.\nChapters end.\n", "utf-8")
    titles = [record["title"] for record, _ in ingested(kind(tmp_path, "chapter", "en"), rules)]
    assert titles == ["Chapter 1", "CHAPTER II. The Storm"]


def test_every_fault_of_a_file_is_a_reason(tmp_path: Path, kind: Callable[..., Kind], rules: dict[str, Rules]) -> None:
    (tmp_path / "a.txt").write_bytes(b"")
    (tmp_path / "b.txt").write_bytes("他来了".encode() + b"\xff\xfe\x80")
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress("他来了。".encode())[:-6])
    (tmp_path / "d.epub").write_bytes(b"PK")
    (tmp_path / "e.txt.gz").write_bytes(gzip.compress("他来了。".encode()))
    reasons = [reason for _, reason in ingested(kind(tmp_path), rules)]
    assert reasons == ["empty", "undecodable", "broken archive", "unknown format .epub", None]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_json_lines(tmp_path: Path, kind: Callable[..., Kind], rules: dict[str, Rules], suffix: str) -> None:
    rows = ['{"text": "他\u2028来了。", "title": "雨", "work": "w:1"}', "", "{", '{"body": "x"}', '{"text": " "}']
    data = "\n".join(rows).encode()
    (tmp_path / f"many{suffix}").write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    outcomes = ingested(kind(tmp_path), rules)
    assert [reason for _, reason in outcomes] == [None, "not JSON", "no text field", "empty"]
    first = outcomes[0][0]
    assert (first["id"], first["work_id"], first["title"]) == ("g:w_1:many/000001", "g:w_1", "雨")
    assert json.loads(data[first["byte_start"] : first["byte_end"]])["text"] == first["text"]


def test_json_that_is_no_text_is_dropped_with_a_reason(
    tmp_path: Path, kind: Callable[..., Kind], rules: dict[str, Rules]
) -> None:
    rows = ['{"text": "\\ud800他来了。"}', '{"text": "他来了。", "title": "\\udc00"}', "[" * 100_000]
    (tmp_path / "odd.jsonl").write_text("\n".join(rows), "utf-8")
    assert [reason for _, reason in ingested(kind(tmp_path), rules)] == ["undecodable", "undecodable", "not JSON"]


def test_a_folder_is_one_work(tmp_path: Path, kind: Callable[..., Kind], rules: dict[str, Rules]) -> None:
    for name in ("river/1.txt", "river/2.txt", "sea.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("他来了。", "utf-8")
    found = [(record["id"], record["work_id"]) for record, _ in ingested(kind(tmp_path), rules)]
    assert found == [("g:river:1/000000", "g:river"), ("g:river:2/000000", "g:river"), ("g:sea:000000", "g:sea")]


@given(st.lists(st.integers(0, 1000), max_size=20), st.integers(1, 9))
def test_shards_are_the_sorted_files_cut_in_pieces(sizes: list[int], shards: int) -> None:
    files = [Source(f"{n:02d}.txt", size) for n, size in enumerate(sizes)]
    assert [file for shard in range(shards) for file in of_shard(files, shard, shards)] == files


@pytest.mark.parametrize("make", [lambda folder: None, lambda folder: folder.mkdir()])
def test_no_files_name_the_key(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "raw")
    with pytest.raises(DiscoError, match=r"genres\.zh_novel\.path"):
        list_sources(tmp_path / "raw", "genres.zh_novel.path")


def test_a_link_to_nothing_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", "utf-8")
    (tmp_path / "b.txt").symlink_to(tmp_path / "gone.txt")
    with pytest.raises(DiscoError, match=r"genres\.g\.path: .*b\.txt' is a link to nothing"):
        list_sources(tmp_path, "genres.g.path")


def test_two_files_with_one_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", "utf-8")
    (tmp_path / "a.jsonl").write_text("x", "utf-8")
    with pytest.raises(DiscoError, match=r"a\.jsonl"):
        list_sources(tmp_path, "genres.g.path")
