"""All scripts of the stage one after the other: sums, ids, and the same bytes for any number of shards."""

import importlib
import json
from pathlib import Path
from types import SimpleNamespace as Space
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from discobench.files import read_json, write_json
from discobench.parquet import read_parquet, write_parquet
from discobench.pretrain.stream import Stream
from discobench.records import Balance

ROOT = Path(__file__).parents[2]
STEPS = ("ingest", "clean", "deduplicate", "decontaminate")
SHARDS = (1, 3, 7)
SPLITS = ("train", "valid")
TEST = "渡口的老人把灯挂在船头，等最后一个客人。"
FILTERS = {"min_units": 4, "max_repetition": 0.5, "min_language": 0.5, "max_digits": 0.5, "max_marks": 0.5}
FILTERS["max_bytes"] = 9999
PARAMS: dict[str, Any] = {
    "kind": {"document": "chapter", "language": "zh", "category": "Electronic", "genre": "Novel"},
    "shares": {"valid": 0.3, "test": 0.2}, "seed": 3,
    "width": "letters", "simplify": False, "repeats": "chapter", "permutations": 128,
    "language": "zh", "unit": "document",
}  # fmt: skip


def run(step: str, wildcards: dict[str, str], inputs: dict[str, Any], folder: Path, names: dict[str, Any]) -> None:
    """One job as its rule would start it."""
    outputs = {key: folder / name if isinstance(name, str) else name for key, name in names.items()}
    job = Space(input=Space(**inputs), output=Space(**outputs), params=Space(**PARAMS), wildcards=Space(**wildcards))
    importlib.import_module(f"scripts.corpus.{step}").main(job)


def names(step: str, **more: Any) -> dict[str, Any]:
    return {"data": f"{step}.parquet", "dropped": f"{step}.dropped.parquet", "manifest": f"{step}.balance.json", **more}


def pair(step: str, **more: Any) -> dict[str, Any]:
    return {"data": f"{step}.parquet", **more, "manifest": f"{step}.balance.json"}


def raw(folder: Path) -> None:
    """Twelve books of three chapters; one book again in another encoding, one without an encoding."""
    places = ["渡口", "山顶", "雪原", "旧城", "茶馆", "灯塔", "码头", "书店", "寺院", "果园", "矿井", "驿站"]
    for n, place in enumerate(places):
        text = "".join(f"第{m}章\n{m}号人物到了{place}。天色{m * n}分，没有人说话。\n" for m in (1, 2, 3))
        text += f"“{place}还远吗？”\u2028他问了{n}遍。\n" + (TEST if n == 4 else "")
        (folder / f"{place}.txt").write_bytes(text.encode("gb18030" if n % 2 else "utf-8"))
    (folder / "又一本.txt").write_bytes((folder / "山顶.txt").read_bytes())
    (folder / "坏.txt").write_bytes("他来了".encode() + b"\xff\xfe\x80")


def outside(folder: Path) -> tuple[Path, Path]:
    """Manifests of a task with a test set and of a checkpoint with a tokenizer."""
    row = {"id": "t:1:0", "source": "t", "work_id": "t:1", "language": "zh", "split": "test"}
    record = {**row, "document_id": "d", "position": 0, "source_text": TEST, "references": ["x"]}
    write_parquet(folder / "nt/test.parquet", [record], "nt")
    balance = Balance("build", kept=1)
    balance.write(folder / "nt/build.balance.json", 1, [folder / "nt/test.parquet"])
    tokenizer = Tokenizer(models.BPE(unk_token=None))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_tokens(["人", "他", "没有"])
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(folder / "model.json", {"outputs": {}})
    return folder / "nt/build.balance.json", folder / "model.json"


def chain(base: Path, shards: int) -> Path:
    """The whole stage for one genre; returns the folder of its results."""
    out = base / f"{shards}"
    task, model = outside(base)
    genre = {"genre": "zh_novel"}
    PARAMS.update(shards=shards, buckets=shards, kind=PARAMS["kind"] | {"path": str(base / "raw")}, ngram=5)
    sources = out / "sources.json"
    PARAMS["limits"] = {"max_document_bytes": 9999, "max_unpacked_bytes": 99999, "max_ratio": 99}
    PARAMS["place"] = {"path": str(base / "raw"), "document": "chapter", "language": "zh"}
    run("sources", genre, {}, out, {"files": "sources.jsonl", "manifest": "sources.json"})
    rules = ROOT / "resources/cleaning/zh.yaml"
    for shard in map(str, range(shards)):
        here, where = out / shard, genre | {"shard": shard}
        run("ingest", where, {"sources": sources, "rules": rules}, here, names("ingest"))
        told = pair("clean", attributes="attributes.parquet")
        run("clean", where, {"manifest": here / "ingest.balance.json", "rules": rules}, here, told)
        PARAMS["threshold"] = 0.5
        told = pair("signatures", bands="bands.parquet")
        run("signatures", where, {"manifest": here / "clean.balance.json", "rules": rules}, here, told)
    cleans, signatures = ([out / f"{n}/{step}.balance.json" for n in range(shards)] for step in ("clean", "signatures"))
    found = [out / f"matches/{bucket}/matches.balance.json" for bucket in range(shards)]
    for bucket, manifest in enumerate(found):
        run("matches", {"bucket": str(bucket)}, {"manifests": signatures}, manifest.parent, pair("matches"))
    PARAMS["limits"] = FILTERS
    inputs = {"cleans": cleans, "signatures": signatures, "matches": found}
    run("duplicates", {}, inputs, out, pair("duplicates"))
    index = out / "zh"
    PARAMS.update(ngram={"nt": 5}, terms={"nt": {"unit": "span", "threshold": 0.3}})
    run("ngrams", {"language": "zh"}, {"tasks": [task]}, index, pair("ngrams"))
    for shard in map(str, range(shards)):
        here, where = out / shard, genre | {"shard": shard}
        both = {"manifest": here / "clean.balance.json", "duplicates": out / "duplicates.balance.json"}
        run("deduplicate", where, both, here, names("deduplicate"))
        more = {"manifest": here / "deduplicate.balance.json", "ngrams": index / "ngrams.balance.json"}
        told = {"contamination": "contamination.parquet", "overlap": "overlap.parquet", "grams": "gram.parquet"}
        run("decontaminate", where, more, here, names("decontaminate", **told))
    last = [out / f"{shard}" / "decontaminate.balance.json" for shard in range(shards)]
    pack(out, model, last)
    told = {"data": "contamination.parquet", "overlaps": "overlaps.parquet", "exposure": "exposure.parquet"}
    told["manifest"] = "contamination.balance.json"
    run("contamination", {}, {"manifests": last, "ngrams": [index / "ngrams.balance.json"]}, out, told)
    before = [out / f"{shard}" / "deduplicate.balance.json" for shard in range(shards)]
    script = importlib.import_module("scripts.corpus.statistics")
    script.main(before, out / "statistics.parquet", out / "statistics.balance.json")
    return out


def pack(out: Path, model: Path, manifests: list[Path]) -> None:
    """The shards one by one, then their index."""
    made = []
    for manifest in manifests:
        folder = manifest.parent / "packed/base"
        folder.mkdir(parents=True)
        arrays = [folder / f"{split}.{name}.npy" for split in SPLITS for name in ("tokens", "documents", "words")]
        inputs = {"manifest": manifest, "tokenizer": model}
        run("pack", {"genre": "zh_novel"}, inputs, folder, names("pack", arrays=arrays))
        made.append(folder / "pack.balance.json")
    documents = [out / f"packed/{split}.documents.npy" for split in SPLITS]
    inputs = {"manifests": made, "base": model, "tokenizer": model}
    run("index", {}, inputs, out / "packed", {"documents": documents, "manifest": "index.balance.json"})


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    base = tmp_path_factory.mktemp("chain")
    (base / "raw").mkdir()
    raw(base / "raw")
    return {shards: chain(base, shards) for shards in SHARDS}


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


@pytest.mark.parametrize("shards", SHARDS[1:])
def test_shards_and_buckets_change_no_byte(results: dict[int, Path], shards: int) -> None:
    one, more = results[1], results[shards]
    for step, name in [*((step, "document") for step in STEPS), ("attributes", "attributes")]:
        parts = [row for n in range(shards) for row in read_parquet(more / f"{n}/{step}.parquet", name)]
        assert read_parquet(one / f"0/{step}.parquet", name) == parts
    index = [one / "packed/index.balance.json", *one.glob("packed/*.npy")]
    files = [path.relative_to(one) for path in [*index, *one.glob("*.parquet")]]
    assert len(files) == 8
    assert all((one / file).read_bytes() == (more / file).read_bytes() for file in files)


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
