"""Bad data through the real command; each case is mended and then succeeds."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from discobench.files import read_json, read_jsonl, write_jsonl
from tests.conftest import ROOT
from tests.workflow.bad import BUILD, SCORES, Run

pytestmark = pytest.mark.slow

TE = ROOT / "resources/demo/mini/te"
BOOK = ROOT / "resources/demo/corpus/en_book/the-harbour.txt"
FIRST = "record 'demo:te-test-0:0'"
Spoil = Callable[[Path], Any]


def first(path: Path, **values: Any) -> None:
    """Change the first record."""
    rows = read_jsonl(path)
    write_jsonl(path, [rows[0] | values, *rows[1:]])


def appended(path: Path, line: bytes) -> None:
    path.write_bytes(path.read_bytes() + line + b"\n")


def again(path: Path) -> None:
    appended(path, path.read_bytes().split(b"\n")[0])


def without_targets(path: Path) -> None:
    write_jsonl(path, [row | {"target": " "} for row in read_jsonl(path)])


# What is done to test.jsonl, and what must be said in one line beside the folder of the data.
DATA: dict[str, tuple[Spoil, tuple[str, ...]]] = {
    "empty": (lambda p: p.write_bytes(b""), ("tasks.te", "no test record", "found none", "add some")),
    "empty-split": (without_targets, ("tasks.te", "no test record", "30 dropped as 'target is empty'")),
    "utf-16": (lambda p: p.write_bytes(p.read_text("utf-8").encode("utf-16")), ("test.jsonl", "at byte 0 (line 1)")),
    "latin-1": (lambda p: appended(p, b'{"id": "\xe9"}'), ("test.jsonl", "(line 31)", "convert it to UTF-8")),
    "duplicate": (again, ("line 31: id 'demo:te-test-0:0' is that of", "line 1; give it its own")),
    "nan": (lambda p: first(p, perplexity_source=float("nan")), (FIRST, "perplexity_source holds nan", "finite")),
}


@pytest.mark.parametrize("name", DATA)
def test_bad_records(repository: Path, tmp_path: Path, name: str):
    spoil, parts = DATA[name]
    data = tmp_path / "数据 of mine"
    shutil.copytree(TE, data)
    run = Run(repository, f"data-{name}", BUILD, {"tasks": {"te": {"files": [{"path": str(data)}]}}})
    spoil(data / "test.jsonl")
    run.fails(str(data), *parts)
    assert run.files() == set()
    shutil.rmtree(data)
    shutil.copytree(TE, data)
    run.succeeds()


# A corpus.


def corpus(root: Path, name: str, folder: Path, shards: int) -> Run:
    genre = {"path": str(folder), "document": "file", "shards": shards, "licence": None}
    changes = {"run": {"genres": ["en_book"]}, "genres": {"en_book": genre}}
    return Run(root, name, "corpus/statistics.balance.json", changes)


def test_a_shard_with_zero_documents(repository: Path, tmp_path: Path):
    (tmp_path / "empty.txt").write_bytes(b"")
    shutil.copyfile(BOOK, tmp_path / BOOK.name)
    run = corpus(repository, "shards", tmp_path, 2)
    run.succeeds()
    shards = [run.results / f"corpus/en_book/{n}" for n in range(2)]
    assert [read_json(shard / "ingest.balance.json")["kept"] for shard in shards] == [0, 1]
    dropped = pq.read_table(shards[0] / "ingest.dropped.parquet").to_pylist()
    assert [(row["id"], row["reason"]) for row in dropped] == [("en_book:empty:rest", "empty")]


def test_a_genre_without_files_or_with_a_name_that_is_no_text(repository: Path, tmp_path: Path):
    folder = tmp_path / "books"
    folder.mkdir()
    run = corpus(repository, "genre", folder, 1)
    run.fails("genres.en_book", str(folder), "holds no file", "put raw files there")
    odd = folder / "a\udcff.txt"
    odd.write_bytes(BOOK.read_bytes())
    run.fails("genres.en_book", "a\\udcff.txt", "rename it")
    assert run.files() == set()
    odd.rename(folder / "a.txt")
    run.succeeds()


# Outputs of an earlier job that are no longer what they were.


@pytest.fixture(scope="module")
def scored(repository: Path) -> Run:
    """A task that trivial answers are scored on."""
    run = Run(repository, "scored", SCORES)
    run.succeeds()
    return run


PREDICTIONS = "decode/te/majority/seed-1/predictions.jsonl"
TEST = "tasks/te/test.parquet"


def lines(edit: Callable[[list[bytes]], list[bytes]]) -> Spoil:
    return lambda path: path.write_bytes(b"\n".join(edit(path.read_bytes().split(b"\n"))))


def renamed(line: bytes) -> bytes:
    return json.dumps(json.loads(line) | {"id": "of-another-set"}).encode()


OUTPUTS: dict[str, tuple[str, Spoil, tuple[str, ...]]] = {
    "lost ids": (PREDICTIONS, lines(lambda ls: ls[2:]), ("missing demo:te-test-0:0, demo:te-test-1:1; not in",)),
    "foreign ids": (PREDICTIONS, lines(lambda ls: [renamed(ls[0]), *ls]), ("not in the test set of-another-set",)),
    "an id twice": (PREDICTIONS, lines(lambda ls: [ls[0], *ls]), ("id 'demo:te-test-0:0' twice",)),
    "other answers": (PREDICTIONS, lambda p: first(p, prediction="x"), ("was cut short or changed",)),
    "a truncated Parquet": (TEST, lambda p: p.write_bytes(p.read_bytes()[:-100]), ("was cut short or changed",)),
    "a lost Parquet": (TEST, lambda p: p.unlink(), ("is gone though",)),
    "a manifest that is none": (BUILD, lambda p: p.write_text("[]", "utf-8"), ("lists no outputs",)),
}


@pytest.mark.parametrize("case", OUTPUTS)
def test_damaged_outputs(scored: Run, case: str):
    name, spoil, parts = OUTPUTS[case]
    spoil(scored.results / name)
    shutil.rmtree((scored.results / SCORES).parent)
    manifest = {PREDICTIONS: "decode.balance.json", TEST: "build.balance.json", BUILD: "build.balance.json"}[name]
    said = scored.fails(str(Path(scored.name) / name), *parts)
    assert manifest in said and "rerun" in said
    assert not [file for file in scored.files() if file.startswith("score/")]
    (scored.results / name).with_name(manifest).unlink()
    scored.succeeds()
