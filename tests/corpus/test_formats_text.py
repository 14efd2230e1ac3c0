"""Texts of any size, cut anywhere: nothing is lost, whatever the separators, encodings and shards."""

import bz2
import io
import re
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from backports import zstd
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from discobench.corpus import sources
from discobench.corpus.formats import base, lines, text
from discobench.corpus.formats.base import Blob, Limits, Manner, Refused
from discobench.corpus.formats.blobs import zstd_frames
from discobench.corpus.formats.lines import byte_lines, text_lines
from discobench.corpus.rules import Rules

Ingested = Callable[..., Any]
SEPARATORS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "gb18030"]
CERTAIN = ("utf-8", "utf-8-sig", "utf-16", "utf-32")
"""Encodings that a text of any size says itself; of the others some sentences are needed."""
CODECS = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
PASSAGE = "夜里下了一场大雨，他在门口站了很久，没有人来。\n她说：“你还不回去吗？”\n"
TEXTS = st.lists(st.sampled_from([*SEPARATORS, "\r\n", "夜", "第一章", "他来了。", " ", "ab"]), max_size=40).map(
    "".join
)
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def held(data: bytes, part: tuple[int, int | None] = (0, None)) -> Blob:
    return Blob(lambda at: io.BytesIO(data[at:]), part)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks, parts and what is held in memory so small that every file is large."""
    monkeypatch.setattr(sources, "SMALL", 1)
    monkeypatch.setattr(lines, "BLOCK", 7)
    monkeypatch.setattr(text, "BLOCK", 7)


@given(TEXTS, st.lists(st.integers(0, 100), max_size=3), st.integers(1, 9))
def test_lines_of_the_parts_are_the_lines(written: str, cuts: list[int], block: int) -> None:
    data = written.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK", block)
        whole = list(byte_lines(held(data), 100))
        edges = [0, *sorted(cut for cut in cuts if cut < len(data)), None]
        parts = [line for part in pairwise(edges) for line in byte_lines(held(data, part), 100)]
    assert parts == whole
    assert [line for line, _, _ in whole] == [line.rstrip(b"\r\n") for line in io.BytesIO(unix(data))]
    assert b"".join(data[start:end] for _, start, end in whole) == data


def unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


@given(TEXTS, st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "gb18030"]), st.integers(1, 9))
def test_lines_cover_the_bytes_of_every_encoding(written: str, encoding: str, block: int) -> None:
    data = written.encode(encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK", block)
        found = list(text_lines(held(data), encoding, 0, 1000))
    assert [data[a:b].decode(encoding).rstrip("\r\n") for _, a, b in found] == [line for line, _, _ in found]
    assert "".join(data[a:b].decode(encoding) for _, a, b in found) == written


@given(
    st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "gb18030"]),
    st.integers(1, 6),
    st.lists(st.integers(0, 30), max_size=9),
    st.sampled_from(["\n", "\r", "\r\n"]),
)
@example("utf-8", 1, [20], "\r")
@example("utf-16-le", 1, [10, 3], "\r")
def test_a_line_that_is_too_long_is_read_past(encoding: str, block: int, sizes: list[int], end: str) -> None:
    """Lines of so many letters, of which twenty are allowed."""
    most = len("x".encode(encoding)) * 20
    data = "".join("x" * size + end for size in sizes).encode(encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK", block)
        found = list(text_lines(held(data), encoding, 0, most))
    assert [None if size > 20 else "x" * size for size in sizes] == [line for line, _, _ in found]
    assert b"".join(data[a:b] for _, a, b in found) == data


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_line_of_any_length_is_not_held(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setattr(lines, "BLOCK", 1 << 14)
    data = ("雪" * 2_000_000 + "\n短。\n").encode(encoding)
    tracemalloc.start()
    found = list(text_lines(Blob(lambda at: _at(data, at)), encoding, 0, 1_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [line for line, _, _ in found] == [None, "短。"]
    assert found[1][2] == len(data)
    assert peak < 1_000_000


def _at(data: bytes, at: int) -> io.BytesIO:
    stream = io.BytesIO(data)
    stream.seek(at)
    return stream


@CALM
@given(TEXTS, st.sampled_from(ENCODINGS), st.sampled_from(["file", "chapter", "block", "line"]), st.booleans())
def test_no_text_is_lost_without_a_dropped_record(
    rules: dict[str, Rules], bounds: Limits, written: str, encoding: str, document: str, large: bool
) -> None:
    """Documents and dropped ones together have the text as it was written, in every encoding."""
    written = written if encoding in CERTAIN else PASSAGE + written
    data = written.encode(encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "WHOLE", 1 if large else base.WHOLE)
        patch.setattr(lines, "BLOCK", 7)
        try:
            raws = list(text.read_text(held(data), Manner(document, "zh", rules["zh"], bounds)))
        except Refused as error:
            assert (str(error), written.strip()) == ("empty", "")
            return
    assert all(one.byte_end <= other.byte_start for one, other in pairwise(raws))
    assert {raw.reason for raw in raws} <= {None, "empty"}
    if document == "line":
        assert [raw.text for raw in raws] == [line for line in re.split("\r\n|\r|\n", written) if line.strip()]
        return
    pieces = [data[raw.byte_start : raw.byte_end].decode(CODECS.get(encoding, encoding)) for raw in raws]
    whole = "".join(pieces).removeprefix("\ufeff")
    assert written.endswith(whole) and not written.removesuffix(whole).strip()
    for piece, raw in zip(pieces, raws, strict=True):
        own = re.sub("\r\n|\r", "\n", piece.removeprefix("\ufeff")).removesuffix("\n")
        heading, _, rest = own.partition("\n")
        assert (raw.title, raw.text) == ((None, own) if raw.title is None else (heading.strip(), rest))


@pytest.mark.parametrize("shards", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-32"])
def test_shards_change_no_line(tmp_path: Path, ingested: Ingested, tiny: None, shards: int, encoding: str) -> None:
    written = "".join(f"第{n}行，夜里下了一场大雨。{SEPARATORS[n % 8 + 2]}\r\n" for n in range(60))
    (tmp_path / "a.txt").write_bytes(written.encode(encoding))
    (tmp_path / "b.jsonl").write_bytes(b"".join(b'{"text": "%d"}\n' % n for n in range(50)))
    (tmp_path / "c.txt").write_bytes("还有一行。".encode())
    found = ingested(tmp_path, "line", shards=shards)
    assert found == ingested(tmp_path, "line", shards=1)
    assert [reason for _, reason in found] == [None] * 111
    assert [record["text"] for record, _ in found[:60]] == written.split("\r\n")[:60]


@pytest.mark.parametrize("shards", [2, 5])
def test_shards_change_no_row_group_and_no_frame(tmp_path: Path, ingested: Ingested, tiny: None, shards: int) -> None:
    pq.write_table(pa.table({"text": [f"第{n}夜。" for n in range(40)]}), tmp_path / "a.parquet", row_group_size=3)
    rows = "".join(f'{{"text": "第{n}夜。"}}\n' for n in range(200)).encode()
    pieces = [rows[start : start + 333] for start in range(0, len(rows), 333)]
    (tmp_path / "b.jsonl.zst").write_bytes(b"".join(map(zstd.compress, pieces)))
    (tmp_path / "c.jsonl.bz2").write_bytes(bz2.compress(rows))
    assert len(zstd_frames(tmp_path / "b.jsonl.zst") or []) == len(pieces)
    found = ingested(tmp_path, shards=shards)
    assert found == ingested(tmp_path, shards=1)
    texts = [record["text"] for record, _ in found]
    assert texts == [f"第{n}夜。" for n in [*range(40), *range(200), *range(200)]]


def test_a_frame_that_does_not_say_its_size_is_not_divided(tmp_path: Path, ingested: Ingested, tiny: None) -> None:
    rows = b"".join(b'{"text": "%d"}\n' % n for n in range(100))
    stream = zstd.ZstdCompressor()
    (tmp_path / "a.jsonl.zst").write_bytes(stream.compress(rows) + stream.flush() + zstd.compress(rows))
    assert zstd_frames(tmp_path / "a.jsonl.zst") is None
    assert len(ingested(tmp_path, shards=3)) == 200


def test_one_line_of_five_megabytes(tmp_path: Path, ingested: Ingested, bounds: Limits) -> None:
    (tmp_path / "a.txt").write_bytes("雪落无声，".encode() * 333_334 + "\n短。\n".encode())
    (tmp_path / "b.jsonl").write_bytes(b'{"text": "' + b"x" * 5_000_000 + b'"}\n{"text": "y"}')
    sizes = [(len(record["text"]), reason) for record, reason in ingested(tmp_path, "line")]
    assert sizes == [(1_666_670, None), (2, None), (5_000_000, None), (1, None)]
    small = replace(bounds, max_document_bytes=1_000_000)
    reasons = [reason for _, reason in ingested(tmp_path, "line", limits=small)]
    assert reasons == ["too large", None, "too large", None]
    assert [reason for _, reason in ingested(tmp_path, "chapter", limits=small)] == ["too large", "too large", None]
    assert [reason for _, reason in ingested(tmp_path, "file", limits=small)] == ["too large", "too large", None]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "big5"])
def test_a_text_too_large_to_hold_is_read_twice(
    tmp_path: Path, ingested: Ingested, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    chapters = "".join(f"第{n}章\r\n夜裡下了一場大雨，{n}人在門口。\r\n" for n in "一二三四五")
    (tmp_path / "a.txt").write_bytes(("ASCII first\r\n" * 50 + chapters).encode(encoding))
    found = ingested(tmp_path, "chapter")
    for module in (text, lines):
        monkeypatch.setattr(module, "BLOCK", 64)
    monkeypatch.setattr(text, "WHOLE", 100)
    assert ingested(tmp_path, "chapter") == found
    assert [record["title"] for record, _ in found] == [None, "第一章", "第二章", "第三章", "第四章", "第五章"]


@pytest.mark.parametrize("whole", [100, base.WHOLE])
def test_damage_costs_the_line_or_chapter_that_has_it(
    tmp_path: Path, ingested: Ingested, monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    monkeypatch.setattr(text, "WHOLE", whole)
    parts = [f"第{n}章\n夜里下了一场大雨。\n\n".encode() for n in "一二三四"]
    parts[2] += b"\xff\xe9\n"
    (tmp_path / "a.txt").write_bytes(b"".join(parts))
    assert [reason for _, reason in ingested(tmp_path, "chapter")] == [None, None, "undecodable", None]
    assert [reason for _, reason in ingested(tmp_path, "line")] == [None] * 6 + ["undecodable", None, None]
    assert [reason for _, reason in ingested(tmp_path, "block")] == [None] * 3 + ["undecodable"]
    assert [reason for _, reason in ingested(tmp_path, "file")] == ["undecodable"]


@pytest.mark.parametrize("whole", [100, base.WHOLE])
def test_a_text_that_no_encoding_fits(
    tmp_path: Path, ingested: Ingested, monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    monkeypatch.setattr(text, "WHOLE", whole)
    (tmp_path / "a.txt").write_bytes("夜里下了一场大雨。\n".encode("gb18030") * 50 + b"\xff\xff\x81")
    for document in ("chapter", "line", "file"):
        assert [reason for _, reason in ingested(tmp_path, document)] == ["undecodable"]
