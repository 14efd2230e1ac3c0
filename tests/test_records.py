from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.files import read_json, sha256, write_text
from discobench.records import SPLITS, Balance, beside, listed, record_id, split_of, unique_by_id

SHARES = {"valid": 0.1, "test": 0.2}


@given(st.text(), st.text(), st.one_of(st.text(), st.integers()), st.one_of(st.none(), st.integers(min_value=0)))
def test_an_id_has_three_or_four_parts_whatever_is_in_them(source, work, document, n):
    parts = record_id(source, work, document, n).split(":")
    assert len(parts) == (3 if n is None else 4)
    if ":" not in source + work + str(document):
        assert parts[:3] == [source, work, str(document)]


@given(st.text(), st.integers())
def test_the_split_of_a_work_is_always_the_same(work: str, seed: int):
    assert split_of(work, SHARES, seed) == split_of(work, SHARES, seed)
    assert split_of(work, SHARES, seed) in SPLITS


def test_splits_have_the_shares_asked_for():
    found = Counter(split_of(f"work {n}", SHARES, 1) for n in range(20_000))
    assert found["test"] / 20_000 == pytest.approx(0.2, abs=0.01)
    assert found["valid"] / 20_000 == pytest.approx(0.1, abs=0.01)


def test_a_larger_test_share_only_adds_works():
    works = [f"work {n}" for n in range(500)]
    small = {w for w in works if split_of(w, {"valid": 0.1, "test": 0.1}, 1) == "test"}
    large = {w for w in works if split_of(w, {"valid": 0.1, "test": 0.3}, 1) == "test"}
    assert small < large


def test_no_shares_means_train():
    assert {split_of(f"w{n}", {"valid": 0, "test": 0}, 1) for n in range(200)} == {"train"}


@pytest.mark.parametrize("row", [{}, {"id": None}, {"id": ["a"]}])
def test_an_id_that_is_no_text_is_refused(row: dict):
    with pytest.raises(DiscoError, match=r"x.jsonl: found id .* each record needs a text"):
        unique_by_id([row], "x.jsonl")


def test_an_id_given_twice_is_named():
    rows = [{"id": "a"}, {"id": "b"}, {"id": "a"}]
    assert list(unique_by_id(rows[:2], "x.jsonl")) == ["a", "b"]
    with pytest.raises(DiscoError, match=r"x.jsonl has id 'a' twice"):
        unique_by_id(rows, "x.jsonl")


@given(st.integers(0, 50), st.dictionaries(st.text(min_size=1), st.integers(0, 50)), st.integers(-2, 2))
def test_a_balance_is_written_only_when_it_sums(kept: int, dropped: dict[str, int], surplus: int):
    balance = Balance("clean")
    balance.keep(kept)
    for reason, count in dropped.items():
        balance.drop(reason, count)
    path = Path("/nonexistent/clean.balance.json")
    received = kept + sum(dropped.values()) + surplus
    if surplus:
        with pytest.raises(DiscoError, match=f"step clean received {received} records"):
            balance.write(path, received, [])


def test_a_balance_vouches_for_its_outputs(tmp_path: Path):
    write_text(tmp_path / "clean.parquet", "data")
    balance = Balance("clean", notes={"limit": 5})
    balance.keep(2)
    balance.drop("too short")
    manifest = tmp_path / "clean.balance.json"
    balance.write(manifest, 3, [tmp_path / "clean.parquet"])
    written = read_json(manifest)
    assert (written["in"], written["kept"], written["dropped"]) == (3, 2, {"too short": 1})
    assert written["outputs"] == {"clean.parquet": sha256(tmp_path / "clean.parquet")}
    assert beside(manifest, "clean.parquet") == tmp_path / "clean.parquet"
    with pytest.raises(DiscoError, match=r"does not list 'x.parquet'; it lists clean.parquet"):
        beside(manifest, "x.parquet")
    write_text(tmp_path / "clean.parquet", "Data")
    assert listed(manifest, "clean.parquet") == tmp_path / "clean.parquet"
    with pytest.raises(DiscoError, match=r"was cut short or changed since it was made \(its sha256 begins with"):
        beside(manifest, "clean.parquet")
    (tmp_path / "clean.parquet").unlink()
    with pytest.raises(DiscoError, match="is gone though"):
        beside(manifest, "clean.parquet")


@pytest.mark.parametrize("content", ["[]", "{}", '{"outputs": ["clean.parquet"]}'])
def test_what_is_no_manifest_is_named(tmp_path: Path, content: str):
    write_text(tmp_path / "a.balance.json", content)
    with pytest.raises(DiscoError, match="lists no outputs, so it is no manifest; delete it and rerun"):
        beside(tmp_path / "a.balance.json", "clean.parquet")
