from collections.abc import Callable
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench import parquet
from discobench import schema as types
from discobench.errors import DiscoError
from discobench.parquet import (
    growing,
    growing_tables,
    in_pieces,
    iterate_parquet,
    iterate_tables,
    read_parquet,
    write_parquet,
    write_tables,
)
from discobench.schema import SCHEMAS, record_schema, schema

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
COMMON = {"source": "s", "work_id": "w", "language": "zh", "split": "train"}
SPAN = st.fixed_dictionaries({"start": st.integers(0, 9), "end": st.integers(0, 9)})
TREES = st.lists(
    st.fixed_dictionaries(
        {"id": TEXT, "document_id": TEXT, "start": st.integers(0, 99), "end": st.integers(0, 99), "tree": TEXT}
        | {"tokens": st.lists(SPAN, max_size=3)}
        | {name: st.just(value) for name, value in COMMON.items()}
    ),
    max_size=6,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parquet")


def pair(n: int, zh: str = "天\u2028地") -> dict:
    return COMMON | {"id": f"s:w:{n}", "position": n, "zh": zh, "en": "sky"}


@given(TREES)
def test_records_come_back_as_they_were_written(folder: Path, rows: list[dict]):
    assert write_parquet(folder / "t.parquet", rows, "tree") == len(rows)
    assert read_parquet(folder / "t.parquet", "tree") == rows


def test_the_same_records_give_the_same_bytes(tmp_path: Path):
    for name in ("a", "b"):
        write_parquet(tmp_path / name, map(pair, range(100)), "pair")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_row_groups_are_bounded_in_rows_and_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parquet, "ROWS", 4)
    monkeypatch.setattr(parquet, "GROUP_BYTES", 4000)
    write_parquet(tmp_path / "p", [pair(n) for n in range(9)] + [pair(9, "字" * 1000), pair(10)], "pair")
    file = pq.ParquetFile(tmp_path / "p").metadata
    assert [file.row_group(n).num_rows for n in range(file.num_row_groups)] == [4, 4, 2, 1]


def test_a_growing_file_holds_no_more_than_a_row_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Rows and tables that come one by one are written as they come, and give the bytes of those written at once."""
    monkeypatch.setattr(parquet, "ROWS", 4)
    rows = [pair(n) for n in range(11)]
    with growing(tmp_path / "a", "pair") as out, growing_tables(tmp_path / "b", "pair") as tables:
        for row in rows:
            out.append(row)
            tables.append(pa.Table.from_pylist([row], schema("pair")))
            assert out.rows < 4 and tables.rows < 4
            assert not (tmp_path / "a").exists()
    write_parquet(tmp_path / "at once", rows, "pair")
    assert len({(tmp_path / name).read_bytes() for name in ("a", "b", "at once")}) == 1
    assert out.count == tables.count == 11


def test_a_growing_file_whose_block_fails_is_not_there(tmp_path: Path):
    with pytest.raises(RuntimeError), growing(tmp_path / "a", "pair") as out:
        out.append(pair(0))
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_tables_pass_through_in_bounded_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parquet, "ROWS", 4)
    rows = [pair(n, "字" * n * 100) for n in range(11)]
    write_parquet(tmp_path / "a", rows, "pair")
    tables = list(iterate_tables(tmp_path / "a", "pair", size=2000))
    assert max(map(len, tables)) <= 4
    assert len(tables) > 5
    assert write_tables(tmp_path / "b", [schema("pair").empty_table(), *tables], "pair") == len(rows)
    assert read_parquet(tmp_path / "b", "pair") == rows
    assert pq.ParquetFile(tmp_path / "b").metadata.num_row_groups < 5


@pytest.mark.parametrize("read", [iterate_tables, iterate_parquet])
def test_what_was_read_is_not_kept(tmp_path: Path, read: Callable, monkeypatch: pytest.MonkeyPatch):
    """Of a file of 10 MB that does not compress, in row groups of 100 kB, little is in memory at any time."""
    monkeypatch.setattr(parquet, "ROWS", 10)
    draw = Random(3)
    write_parquet(tmp_path / "p", (pair(n, draw.randbytes(5_000).hex()) for n in range(1_000)), "pair")
    assert (tmp_path / "p").stat().st_size > 4_000_000
    before = pa.total_allocated_bytes()
    assert max(pa.total_allocated_bytes() - before for _ in read(tmp_path / "p", "pair")) < 1_500_000


def test_chosen_columns_are_read_alone(tmp_path: Path):
    write_parquet(tmp_path / "p", map(pair, range(3)), "pair")
    (table,) = iterate_tables(tmp_path / "p", "pair", ["position"])
    assert table.to_pydict() == {"position": [0, 1, 2]}


def test_text_may_pass_two_gigabytes_and_is_compressed(tmp_path: Path):
    write_parquet(tmp_path / "p", [pair(1)], "pair")
    assert pq.ParquetFile(tmp_path / "p").schema_arrow.field("zh").type == pa.large_string()
    assert pq.ParquetFile(tmp_path / "p").metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({k: v for k, v in pair(1).items() if k != "zh"}, "record 's:w:1' has missing or unknown fields: zh"),
        (pair(1) | {"fr": "ciel"}, "missing or unknown fields: fr"),
        (pair(1) | {"position": "one"}, "does not fit schema 'pair'"),
        (pair(1) | {"position": 1 << 70}, "does not fit schema 'pair'"),
        (pair(1) | {"zh": "\ud800"}, "does not fit schema 'pair'"),
    ],
)
def test_a_record_that_does_not_fit_leaves_no_file(tmp_path: Path, row: dict, sentence: str):
    with pytest.raises(DiscoError, match=sentence):
        write_parquet(tmp_path / "p.parquet", [pair(0), row], "pair")
    assert list(tmp_path.iterdir()) == []


def test_reading_streams(tmp_path: Path):
    write_parquet(tmp_path / "p", map(pair, range(5)), "pair")
    assert next(iterate_parquet(tmp_path / "p", "pair"))["position"] == 0


def test_a_file_of_another_schema_or_none_is_named(tmp_path: Path):
    write_parquet(tmp_path / "p", [pair(0)], "pair")
    with pytest.raises(DiscoError, match="p does not have schema 'tree'"):
        read_parquet(tmp_path / "p", "tree")
    with pytest.raises(DiscoError, match="absent does not exist"):
        read_parquet(tmp_path / "absent", "tree")
    (tmp_path / "cut").write_bytes((tmp_path / "p").read_bytes()[:-20])
    with pytest.raises(DiscoError, match="cut is not a whole Parquet file"):
        read_parquet(tmp_path / "cut", "pair")


def test_a_file_damaged_in_its_middle_is_named_with_its_remedy(tmp_path: Path):
    write_parquet(tmp_path / "p", [pair(n, "天地玄黄" * n) for n in range(200)], "pair")
    data = (tmp_path / "p").read_bytes()
    (tmp_path / "p").write_bytes(data[:20] + bytes(len(data) // 2) + data[20 + len(data) // 2 :])
    with pytest.raises(
        DiscoError, match=r"p is (damaged|not a whole Parquet file) .*delete it and the \*\.balance\.json"
    ):
        read_parquet(tmp_path / "p", "pair")


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_schema_has_text_that_may_pass_two_gigabytes(name: str):
    assert not any(pa.types.is_string(field.type) for field in schema(name))


def test_a_task_may_bring_its_own_schema(tmp_path: Path):
    own = record_schema(verse=types.TEXT)
    row = COMMON | {"id": "a", "verse": "床前明月光"}
    write_parquet(tmp_path / "own.parquet", [row], own)
    assert read_parquet(tmp_path / "own.parquet", own) == [row]
    with pytest.raises(DiscoError, match="does not have schema 'te'"):
        read_parquet(tmp_path / "own.parquet", "te")
    with pytest.raises(DiscoError, match="missing or unknown fields: line, verse"):
        write_parquet(tmp_path / "other.parquet", [row], record_schema(line=types.TEXT))


@given(st.lists(st.integers(0, 7), max_size=6), st.integers(1, 9))
def test_pieces_have_the_same_rows_however_tables_come(sizes: list[int], rows: int) -> None:
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    tables = [
        pa.table({"n": pa.array(range(start, start + size), pa.int64())})
        for start, size in zip(starts, sizes, strict=True)
    ]
    pieces = list(in_pieces(tables, rows))
    assert [n for piece in pieces for n in piece["n"].to_pylist()] == list(range(sum(sizes)))
    assert all(len(piece) == rows for piece in pieces[:-1])
    assert all(0 < len(piece) <= rows for piece in pieces)


def test_pieces_give_the_same_bytes_however_tables_come(tmp_path: Path) -> None:
    """Of more than a page; its end falls elsewhere where a chunk ends."""
    ids = [f"g:{n * 7919 % 99991:040d}:0" for n in range(40_000)]
    table = pa.Table.from_pylist(
        [{"id": i, "start": 0, "end": 1, "kept": i, "reason": "x"} for i in ids], schema("duplicate")
    )
    for size in (len(ids), 777):
        cut = (table.slice(start, size) for start in range(0, len(table), size))
        write_tables(tmp_path / f"{size}.parquet", in_pieces(cut, 30_000), "duplicate")
    assert (tmp_path / "40000.parquet").read_bytes() == (tmp_path / "777.parquet").read_bytes()
