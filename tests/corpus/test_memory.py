"""A shard of many dropped records takes no more memory than one of few: nothing is gathered while a job runs."""

import gc
import importlib
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace as Space
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discobench import files, parquet
from discobench.corpus import duplicates as decisions
from discobench.corpus import hashes, verdicts
from discobench.corpus.duplicates import EXACT, NAMES
from discobench.corpus.exposure import exposure
from discobench.corpus.formats import lines
from discobench.corpus.formats.base import Limits
from discobench.corpus.listing import Place
from discobench.corpus.ngrams import of_test_set
from discobench.corpus.overlap import Index
from discobench.corpus.sources import list_sources, written
from discobench.files import read_json, sha256, write_json
from discobench.parquet import read_parquet, write_parquet, write_tables
from discobench.records import Balance
from discobench.schema import schema
from tests.corpus.conftest import ROOT, measured
from tests.corpus.stage import outside

Make = Callable[..., dict[str, Any]]
PASSAGE = "那天夜里渡船没有来，老人把灯吹灭了。"
FEW, MANY = 1_200, 3_200
A_RECORD = 50
"""Bytes that one more record may take: its share of what a file's end says of its row groups. A drop kept in memory
takes 280."""
PARTS = (90_000, 90_000, 270_000)
A_PART = 10
"""Bytes that one more part of a language may take: seven, and its share of what the ends of files say. Of the paper's
140 million at most 1.4 GB."""
GRAMS = (60_000, 60_000, 180_000)
A_GRAM = 130
"""Bytes that one more n-gram of the test sets may take while put in order; the paper's have some 12 million."""
RULES = ROOT / "resources/cleaning/zh.yaml"
COLUMNS = ("tokens", "documents", "words")
PLACE = {"genre": "g", "shard": "0"}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups and blocks so small that a few records fill them."""
    monkeypatch.setattr(parquet, "ROWS", 100)
    monkeypatch.setattr(lines, "BLOCK", 1 << 12)
    monkeypatch.setattr(files, "BLOCK", 1 << 12)
    monkeypatch.setattr(hashes, "PENDING", 1_000)


def run(
    step: str, folder: Path, inputs: dict[str, Any], told: Iterable[str], arrays: Iterable[Path] = (), **params: Any
) -> None:
    """One job; ``told`` are files that it writes beside its data, called as they are named."""
    made = {name.split(".")[0]: folder / name for name in told} | {"data": folder / f"{step}.parquet"}
    made |= {"dropped": folder / f"{step}.dropped.parquet", "manifest": folder / f"{step}.balance.json"}
    made["grams"] = folder / "gram.parquet"
    job = Space(
        input=Space(**inputs), output=Space(**made, arrays=arrays), params=Space(**params), wildcards=Space(**PLACE)
    )
    importlib.import_module(f"scripts.corpus.{step}").main(job)


def peak(monkeypatch: pytest.MonkeyPatch, work: Callable[[], None]) -> float:
    """Bytes of Python's own and of Arrow's, of which samples are taken whenever something is written."""
    arrow = [0]
    base = pa.total_allocated_bytes()
    for kind in (parquet.Growing, parquet.GrowingTables):
        monkeypatch.setattr(kind, "append", sampled(kind.append, arrow, base))
    gc.collect()
    tracemalloc.start()
    work()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found + max(arrow)


def sampled(append: Any, arrow: list[int], base: int) -> Any:
    def appended(self: Any, item: Any) -> None:
        arrow[0] = max(arrow[0], pa.total_allocated_bytes() - base)
        append(self, item)

    return appended


def manifest(path: Path, outputs: list[Path], count: int = 0, **notes: Any) -> Path:
    Balance("x", kept=count, notes=notes).write(path, count, outputs)
    return path


def shard(folder: Path, step: str, records: list[dict[str, Any]]) -> Path:
    """The output of a step, as a later one is given it."""
    write_parquet(folder / f"{step}.parquet", records, "document")
    return manifest(folder / f"{step}.balance.json", [folder / f"{step}.parquet"])


def texts(make: Make, count: int, text: str) -> list[dict[str, Any]]:
    one = measured(make(text), frozenset())
    return [one | {"id": f"g:w{n}:0", "work_id": f"g:w{n}"} for n in range(count)]


def ingest(folder: Path, count: int, make: Make) -> Callable[[], None]:
    (folder / "raw").mkdir()
    (folder / "raw/a.jsonl").write_text("{他来了\n" * count, "utf-8")
    limits = Limits(9999, 99999, 99)
    total = written(folder / "sources.jsonl", list_sources(Place("g", str(folder / "raw"), "file", "zh"), limits))
    write_json(folder / "sources.json", total | {"outputs": {"sources.jsonl": sha256(folder / "sources.jsonl")}})
    given = {"sources": folder / "sources.json", "rules": RULES}
    kind = {"path": str(folder / "raw"), "document": "file", "language": "zh", "category": "c", "genre": "n"}
    return lambda: run("ingest", folder, given, [], kind=kind, limits=asdict(limits), shards=1)


def clean(folder: Path, count: int, make: Make) -> Callable[[], None]:
    given = {"manifest": shard(folder, "ingest", texts(make, count, "他来了。")), "rules": RULES}
    params = {"language": "zh", "width": "letters", "simplify": False, "shares": {"valid": 0.1, "test": 0.1}}
    return lambda: run("clean", folder, given, ["attributes.parquet"], seed=1, **params)


def deduplicate(folder: Path, count: int, make: Make) -> Callable[[], None]:
    records = texts(make, count, "他来了。")
    gone = {"start": 0, "end": 4, "kept": "g:w0:0", "reason": NAMES[EXACT]}
    write_parquet(folder / "duplicates.parquet", [{"id": row["id"], **gone} for row in records[1:]], "duplicate")
    decisions = folder / "duplicates.balance.json"
    manifest(decisions, [folder / "duplicates.parquet"], rows={"/".join(folder.parts[-2:]): (0, count - 1)})
    given = {"manifest": shard(folder, "clean", records), "duplicates": decisions}
    return lambda: run("deduplicate", folder, given, [])


def decontaminate(folder: Path, count: int, make: Make) -> Callable[[], None]:
    found = of_test_set("nt", [{"id": "t:1", "source_text": PASSAGE}], "zh", 8)
    write_parquet(folder / "ngrams.parquet", found, "ngrams")
    ngrams = manifest(folder / "ngrams.balance.json", [folder / "ngrams.parquet"])
    given = {"manifest": shard(folder, "deduplicate", texts(make, count, PASSAGE)), "ngrams": ngrams}
    told = ["contamination.parquet", "overlap.parquet", "gram.parquet"]
    terms = {"nt": {"unit": "span", "threshold": 0.5}}
    return lambda: run("decontaminate", folder, given, told, language="zh", terms=terms)


def contamination(folder: Path, count: int, make: Make) -> Callable[[], None]:
    decontaminate(folder, count, make)()
    given = {"manifests": [folder / "decontaminate.balance.json"], "ngrams": [folder / "ngrams.balance.json"]}
    return lambda: run("contamination", folder, given, ["overlaps.parquet", "exposure.parquet"])


def statistics(folder: Path, count: int, make: Make) -> Callable[[], None]:
    given = [shard(folder, "deduplicate", texts(make, count, "他来了。"))]
    script = importlib.import_module("scripts.corpus.statistics")
    return lambda: script.main(given, folder / "statistics.parquet", folder / "statistics.balance.json")


def pack(folder: Path, count: int, make: Make) -> Callable[[], None]:
    """The tokenizer knows no character of the texts."""
    _, model = outside(folder)
    given = {"manifest": shard(folder, "decontaminate", texts(make, count, "夜。")), "tokenizer": model}
    arrays = [folder / f"{split}.{name}.npy" for split in ("train", "valid") for name in COLUMNS]
    return lambda: run("pack", folder, given, [], arrays)


@pytest.mark.parametrize("step", [ingest, clean, deduplicate, decontaminate, contamination, statistics, pack])
def test_memory_does_not_grow_with_what_is_dropped(
    tmp_path: Path, document: Make, monkeypatch: pytest.MonkeyPatch, step: Callable[..., Callable[[], None]]
) -> None:
    peaks = []
    for count in (FEW, FEW, MANY):  # the first fills caches
        folder = tmp_path / f"{len(peaks)}"
        folder.mkdir()
        peaks.append(peak(monkeypatch, step(folder, count, document)))
    name = step.__name__
    told = read_json(folder / f"{name}.balance.json")
    if name not in ("clean", "statistics", "contamination"):
        gone = read_parquet(folder / f"{name}.dropped.parquet", "dropped")
        assert len(gone) == told["in"] - told["kept"] >= MANY - 1
    assert told["in"] == MANY
    assert (peaks[2] - peaks[1]) / (MANY - FEW) < A_RECORD


def constant(name: str, count: int, **columns: Any) -> pa.Table:
    """Rows of a schema; what is not given is the same in all: nothing."""
    kinds = {field.name: field.type for field in schema(name)}
    nothing = {key: b"" if kind == pa.binary() else 0 for key, kind in kinds.items()}
    told = {key: columns.get(key, pa.repeat(pa.scalar(nothing[key]), count)) for key in kinds}
    return pa.table({key: pa.array(values).cast(kinds[key]) for key, values in told.items()})


def duplicates(folder: Path, count: int) -> Callable[[], None]:
    """Of ten parts one is a copy and one is near another."""
    numbers, second = np.arange(count), np.arange(9, count, 10)
    ids = [f"g:w{n}:0" for n in range(count)]
    pairs = {"first": np.repeat(second - 5, 2), "second": np.stack([second - 1, second], 1).ravel()}
    tables = {
        "signatures": constant("signature", count, id=ids, document=numbers),
        "attributes": constant("attributes", count, id=ids, units=np.full(count, 9)),
        "matches": constant("match", 2 * len(second), **pairs, exact=np.arange(2 * len(second)) % 2 > 0),
    }
    for (name, table), kind in zip(tables.items(), ("signature", "attributes", "match"), strict=True):
        write_tables(folder / f"{name}.parquet", [table], kind)  # type: ignore[arg-type]
    names = {"signatures": "signatures", "cleans": "attributes", "matches": "matches"}
    given = {key: [manifest(folder / f"{key}.json", [folder / f"{name}.parquet"])] for key, name in names.items()}
    limits = {"min_units": 1, "max_bytes": 9, "max_repetition": 1, "min_language": 0, "max_digits": 1, "max_marks": 1}
    return lambda: run("duplicates", folder, given, [], limits=limits)


def test_memory_of_decisions_is_some_bytes_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {parquet: {"ROWS": 10_000, "TABLE_BYTES": 1 << 15}, decisions: {"BLOCK": 1_000}}
    for module, values in (settings | {verdicts: {"GROUP": 1_000, "RUN": 2}}).items():
        for name, value in values.items():
            monkeypatch.setattr(module, name, value)
    peaks = []
    for count in PARTS:  # the first fills caches
        folder = tmp_path / f"{len(peaks)}"
        peaks.append(peak(monkeypatch, duplicates(folder, count)))
    told = read_json(folder / "duplicates.balance.json")
    assert told["dropped"] == {"exact duplicate": PARTS[2] // 10, "near duplicate": PARTS[2] // 10}
    assert (peaks[2] - peaks[1]) / (PARTS[2] - PARTS[1]) < A_PART, peaks


def known(path: Path, count: int) -> Callable[[], None]:
    """A test set whose n-grams are all different, read, looked for in a text and held against the corpus."""
    letters = np.random.default_rng(1).integers(0x4E00, 0x9000, (count // 600, 607))
    records = ({"id": f"t:{n}", "text": "".join(map(chr, row))} for n, row in enumerate(letters))

    def work() -> None:
        assert write_parquet(path, of_test_set("nt", records, "zh", 8), "ngrams") == count // 600
        index = Index(pq.read_table(path), "zh")
        assert sum(len(level.hashes) for level in index.levels) == count
        hashes = index.levels[0].hashes
        tables = parquet.iterate_tables(path, "ngrams")
        rows = [row for table in tables for row in exposure(table, "zh", hashes, hashes[:0])]
        assert {(row["seen"], row["left"]) for row in rows} == {(1, 0)}

    return work


def test_memory_of_test_sets_is_some_bytes_an_ngram(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = [peak(monkeypatch, known(tmp_path / f"{n}.parquet", count)) for n, count in enumerate(GRAMS)]
    assert (peaks[2] - peaks[1]) / (GRAMS[2] - GRAMS[1]) < A_GRAM, peaks
