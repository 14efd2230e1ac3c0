"""All scripts of the stage one after the other: sums, ids, and the same bytes for any number of shards."""

import json
from pathlib import Path

import numpy as np
import pytest

from discobench.files import read_json
from discobench.parquet import read_parquet
from discobench.pretrain.stream import Stream
from tests.corpus.stage import SPLITS, Genre, assert_same, raw_books, rows, stage

STEPS = ("ingest", "clean", "deduplicate", "decontaminate")
SHARDS = (1, 3, 7)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    base = tmp_path_factory.mktemp("chain")
    raw_books(base / "raw")
    return {shards: stage(Genre(base / "raw"), base / f"{shards}", shards) for shards in SHARDS}


def test_every_record_is_accounted_for(results: dict[int, Path]) -> None:
    for shard in ("0", "1", "2"):
        folder = results[3] / shard
        left = None
        for step in STEPS:
            balance = read_json(folder / f"{step}.balance.json")
            dropped = [] if step == "clean" else read_parquet(folder / f"{step}.dropped.parquet", "dropped")
            kept = read_parquet(folder / f"{step}.parquet", "document")
            ids = {row["id"] for row in dropped} | {row["id"] for row in kept}
            assert balance["in"] == len(dropped) + len(kept) == len(ids)
            assert left is None or ids == left
            left = {row["id"] for row in kept}


def test_what_is_dropped_and_why(results: dict[int, Path]) -> None:
    reasons = {
        row["reason"]
        for step in ("ingest", "deduplicate", "decontaminate")
        for row in read_parquet(results[1] / f"0/{step}.dropped.parquet", "dropped")
    }
    assert {"undecodable", "exact duplicate", "test work", "contaminated"} <= reasons
    (span,) = read_parquet(results[1] / "contamination.parquet", "contamination")
    assert (span["id"], span["task"], span["instance"]) == ("zh_novel:茶馆:000003", "nt", "t:1:0")
    assert read_json(results[1] / "0/clean.balance.json")["notes"]["separators"] == 13
    (row,) = read_parquet(results[1] / "exposure.parquet", "exposure")
    assert (row["instance"], row["seen"], row["left"]) == ("t:1:0", 1, 0)


@pytest.mark.parametrize("shards", SHARDS[1:])
def test_shards_and_buckets_change_no_byte(results: dict[int, Path], shards: int) -> None:
    assert_same(results[1], results[shards], shards)


@pytest.mark.parametrize("shards", SHARDS[1:])
@pytest.mark.parametrize("separator", [None, 1])
def test_pretraining_reads_the_same_whatever_the_shards(
    results: dict[int, Path], shards: int, separator: int | None
) -> None:
    for split in SPLITS:
        one, more = (Stream(results[n] / "packed/index.balance.json", split, 16, separator) for n in (1, shards))
        assert len(one) == len(more) > 0
        for n in range(len(one)):
            a, b = one.chunk(n), more.chunk(n)
            assert np.array_equal(a.ids, b.ids) and np.array_equal(a.words, b.words)
            assert (a.genre, a.first, a.last) == (b.genre, b.first, b.last)


def test_no_separator_of_lines_makes_or_loses_a_record(tmp_path: Path) -> None:
    """Ids, counts and what is packed are those of the same texts with plain line ends, step by step."""
    separators = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
    outs = []
    for name, ends in (("plain", ["\n"] * len(separators)), ("odd", separators)):
        (tmp_path / name).mkdir()
        texts = [f"{n}号船没有来。{end}老人点了{n * n}盏灯。{end}" + chr(0x4E00 + n) * 20 for n, end in enumerate(ends)]
        lines = [json.dumps({"text": text}).ljust(400) + "\n" for text in texts]  # an id tells the place
        (tmp_path / name / "a.jsonl").write_text("".join(lines), "utf-8", newline="\n")
        outs.append(stage(Genre(tmp_path / name, work="document", test=0.0), tmp_path / f"out-{name}", 2))
    for file in ("clean", "attributes", "deduplicate", "decontaminate"):
        plain, odd = (rows(out, 2, file) for out in outs)
        assert plain["id"].to_pylist() == odd["id"].to_pylist(), file
        assert len(plain) == len(separators)
    for file in ("clean", "decontaminate"):
        plain, odd = (rows(out, 2, file) for out in outs)
        assert [text.split() for text in plain["text"].to_pylist()] == [
            text.split() for text in odd["text"].to_pylist()
        ]
    for path in ("statistics.parquet", "packed/train.documents.npy", "zh/duplicates.parquet"):
        assert len({(out / path).read_bytes() for out in outs}) == 1, path


def test_splits_keep_works_together(results: dict[int, Path]) -> None:
    rows = read_parquet(results[1] / "0/clean.parquet", "document")
    pairs = {(row["work_id"], row["split"]) for row in rows}
    assert len(pairs) == len({row["work_id"] for row in rows})
    assert {split for _, split in pairs} == {"train", "valid", "test"}


def test_only_training_works_are_packed_for_training(results: dict[int, Path]) -> None:
    """Test works are gone, validation works are packed apart, and what has no token is told."""
    rows = read_parquet(results[3] / "2/decontaminate.parquet", "document")
    rows += [row for n in "01" for row in read_parquet(results[3] / f"{n}/decontaminate.parquet", "document")]
    assert {row["split"] for row in rows} == {"train", "valid"}
    packed = [results[3] / f"{n}/packed/base/pack.dropped.parquet" for n in range(3)]
    bare = {row["id"] for path in packed for row in read_parquet(path, "dropped")}
    for split in ("train", "valid"):
        bounds = np.load(results[3] / f"packed/{split}.documents.npy")
        assert len(bounds) - 1 == sum(row["split"] == split and row["id"] not in bare for row in rows) > 0


def test_statistics_add_up(results: dict[int, Path]) -> None:
    (row,) = read_parquet(results[1] / "statistics.parquet", "statistics")
    documents = read_parquet(results[1] / "0/deduplicate.parquet", "document")
    assert (row["documents"], row["genre"]) == (len(documents), "Novel")
    assert row["characters_or_words"] == sum(len("".join(record["text"].split())) for record in documents)
    assert row["sentences"] == sum(len(record["sentence_offsets"]) for record in documents)
    assert json.loads((results[1] / "statistics.balance.json").read_text("utf-8"))["in"] == len(documents)
