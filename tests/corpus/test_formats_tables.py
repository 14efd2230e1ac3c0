"""Columns of odd types and rows too large: the rows around them are kept, and the reason is the right one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discobench.corpus.formats.base import Limits

Ingested = Callable[..., Any]
TIMES = [
    pa.array([2**30, 1], pa.date32()),
    pa.array([2**62, 1], pa.timestamp("us")),
    pa.array([2**62, 1], pa.duration("s")),
    pa.array([1, 1], pa.timestamp("us", "Mars/Base")),
]


@pytest.mark.parametrize("times", TIMES, ids=str)
def test_a_time_that_no_calendar_has_costs_no_text(tmp_path: Path, ingested: Ingested, times: pa.Array) -> None:
    pq.write_table(pa.table({"text": ["雨。", "雪。"], "title": times}), tmp_path / "a.parquet")
    assert [(record["text"], reason) for record, reason in ingested(tmp_path)] == [("雨。", None), ("雪。", None)]


def test_a_time_inside_a_row_costs_that_row(tmp_path: Path, ingested: Ingested) -> None:
    kind = pa.list_(pa.struct([("text", pa.string()), ("at", pa.timestamp("us"))]))
    rows = pa.array([[{"text": "雨。", "at": 2**62}], [{"text": "雪。", "at": 1}]], kind)
    pq.write_table(pa.table({"text": rows}), tmp_path / "a.parquet")
    outcomes = [(record["text"], reason) for record, reason in ingested(tmp_path)]
    assert outcomes == [("", "undecodable"), ("雪。", None)]


def test_a_dictionary_of_bytes_is_text(tmp_path: Path, ingested: Ingested) -> None:
    values = pa.array(["雨。".encode(), b"\xff", "雨。".encode()]).dictionary_encode()
    pq.write_table(pa.table({"text": values}), tmp_path / "a.parquet")
    outcomes = [(record["text"], reason) for record, reason in ingested(tmp_path)]
    assert outcomes == [("雨。", None), ("", "undecodable"), ("雨。", None)]


def test_a_line_of_a_table_that_is_too_large_is_called_so(tmp_path: Path, ingested: Ingested, bounds: Limits) -> None:
    (tmp_path / "a.csv").write_text("text\n雪\n" + "雨" * 41 + "\n", "utf-8", newline="\n")
    found = ingested(tmp_path, limits=replace(bounds, max_document_bytes=10))
    assert [(record["text"], reason) for record, reason in found] == [("雪", None), ("", "too large")]
