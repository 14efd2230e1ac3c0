"""Formats that are read from their end, in streams that only go forward."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from backports import zstd

Ingested = Callable[..., Any]
PACKAGE = """<package><manifest><item id="a" href="a.html"/></manifest><spine><itemref idref="a"/></spine></package>"""


def table() -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table({"text": ["夜里下雨。"]}), buffer)
    return buffer.getvalue()


def book() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("META-INF/container.xml", '<container><rootfile full-path="c.opf"/></container>')
        archive.writestr("c.opf", PACKAGE)
        archive.writestr("a.html", "<p>夜里下雨。")
    return buffer.getvalue()


@pytest.mark.parametrize(("name", "data"), [("a.parquet", table()), ("a.epub", book())], ids=["parquet", "epub"])
def test_what_is_read_from_its_end_may_be_compressed(
    tmp_path: Path, ingested: Ingested, name: str, data: bytes
) -> None:
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr(f"{name}.zst", zstd.compress(data))
    with tarfile.open(tmp_path / "c.tar", "w") as tar:
        info = tarfile.TarInfo(f"{name}.gz")
        info.size = len(gzip.compress(data))
        tar.addfile(info, io.BytesIO(gzip.compress(data)))
    (tmp_path / f"d{name}.gz").write_bytes(gzip.compress(data)[:-9])
    outcomes = [(record["text"], reason) for record, reason in ingested(tmp_path)]
    assert outcomes == [("夜里下雨。", None)] * 3 + [("", "broken archive")]


def test_a_window_larger_than_a_job_may_hold(tmp_path: Path, ingested: Ingested) -> None:
    long = {zstd.CompressionParameter.window_log: 31, zstd.CompressionParameter.enable_long_distance_matching: 1}
    stream = zstd.ZstdCompressor(options=long)
    (tmp_path / "a.txt.zst").write_bytes(stream.compress("夜里下雨。".encode() * 9) + stream.flush())
    assert [reason for _, reason in ingested(tmp_path)] == ["needs too much memory"]
