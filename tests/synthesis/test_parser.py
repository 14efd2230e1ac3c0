"""A real stanza pipeline: trained here in seconds, or the one of DISCOBENCH_STANZA_DIR."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import read_json, sha256
from discobench.parquet import read_parquet, write_parquet
from discobench.records import Balance
from discobench.schema import empty
from discobench.synthesis.parser import copy_models, folder_of, guarded, load_pipeline, write_parser
from discobench.synthesis.parsing import Limits, parse_sentences, sentences_of
from discobench.synthesis.trees import read_tree
from tests.support import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.torch]

NOUNS = ("lamp", "boat", "river", "door")
TREES = [
    f"(S (NP (DT The) (JJ {a}) (NN {b})) (VP (VBD {v}) (PP (IN near) (NP (DT the) (NN {c})))) (. .))"
    for a, b, v, c in product(("old", "red"), NOUNS, ("stood", "fell"), NOUNS[:2])
]


def _document(*sentences: str) -> dict[str, Any]:
    text, offsets = "", []
    for sentence in sentences:
        offsets.append({"start": len(text), "end": len(text) + len(sentence)})
        text += sentence + "\n"
    common = {"source": "s", "work_id": "w", "language": "en", "split": "train"}
    return common | {"id": "s:w:d", "text": text, "sentence_offsets": offsets}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from discobench.synthesis.training import train_parser

    folder = tmp_path_factory.mktemp("parser")
    for name, trees in (("train", TREES), ("dev", TREES[::5])):
        (folder / f"{name}.mrg").write_text("\n".join(trees), encoding="utf-8")
    assert train_parser(folder, folder, 40, 1)["bracket_f1"] > 0.9
    write_parser(folder / "parser.json", {"package": "default"})
    return folder


def test_the_same_seed_gives_the_same_bytes_in_another_process(models: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from discobench.synthesis.training import train_parser; "
        "train_parser(Path(sys.argv[1]), Path(sys.argv[2]), 40, 1)"
    )
    changed = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", program, str(models), str(tmp_path)], check=True, env=changed)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.pt"))
    assert len(made) == 4
    assert all(sha256(tmp_path / path) == sha256(models / path) for path in made)


def test_a_tiny_pipeline_parses_what_it_was_taught(models: Path) -> None:
    document = _document("The old boat fell near the door.", "", "The red lamp stood near the old river. " * 5)
    pipeline = load_pipeline(models, "default")
    (record,), dropped = parse_sentences(sentences_of(document), pipeline, Limits(20, 1000, 10))
    assert record["id"] == "s:w:d:0"
    assert [node.label for node in read_tree(record["tree"]).leaves()] == [
        "DT",
        "JJ",
        "NN",
        "VBD",
        "IN",
        "DT",
        "NN",
        ".",
    ]
    assert [document["text"][t["start"] : t["end"]] for t in record["tokens"]][-2:] == ["door", "."]
    assert [row["reason"] for row in dropped] == ["empty sentence", "too many tokens"]


def test_want_of_memory_of_any_kind_is_a_memory_error() -> None:
    def failing(message: str) -> Any:
        def parse(text: str) -> Any:
            raise RuntimeError(message)

        return guarded(parse)

    for message in (
        "CUDA out of memory. Tried to allocate 2 GiB",
        "DefaultCPUAllocator: can't allocate memory: 9 bytes",
    ):
        with pytest.raises(MemoryError):
            failing(message)("a")
    with pytest.raises(RuntimeError, match="another fault"):
        failing("another fault")("a")


def _job(folder: Path, models: Path, sentences: int) -> list[str]:
    """The command of a job of rule ``parse`` in a folder of its own."""
    lines = [f"The {('old', 'red')[n % 2]} {NOUNS[n % 4]} {('stood', 'fell')[n % 3 == 0]}." for n in range(sentences)]
    document = empty("document") | _document(*lines)
    write_parquet(folder / "deduplicate.parquet", [document], "document")
    balance = Balance("deduplicate", kept=1)
    balance.write(folder / "deduplicate.balance.json", 1, [folder / "deduplicate.parquet"])
    outputs = {"trees": "trees.parquet", "dropped": "parse.dropped.parquet", "manifest": "parse.balance.json"}
    inputs = {"documents": str(folder / "deduplicate.balance.json"), "parser": str(models / "parser.json")}
    spec = {
        "input": inputs,
        "output": {name: str(folder / file) for name, file in outputs.items()},
        "params": {"version": 1, "max_tokens": 20, "per_work": None, "state": str(folder / "state")},
        "log": str(folder / "parse.log"),
        "rule": "parse",
        "threads": 1,
        "wildcards": {},
        "resources": {"batch_tokens": 30, "save_every": 15},
    }
    (folder / "parse.job.json").write_text(json.dumps(spec), encoding="utf-8")
    return [sys.executable, str(ROOT / "scripts/synthesis/parse.py"), str(folder / "parse.job.json")]


def test_a_killed_job_continues_with_the_same_trees(models: Path, tmp_path: Path) -> None:
    command = _job(tmp_path, models, 600)
    changed = os.environ | {"PYTHONPATH": str(ROOT)}
    started = subprocess.Popen(command, env=changed)
    while not list(tmp_path.glob("state/*/block-000001.parquet")):
        assert started.poll() is None
        time.sleep(0.02)
    started.send_signal(signal.SIGKILL)
    started.wait()
    assert not (tmp_path / "trees.parquet").exists()
    subprocess.run(command, check=True, env=changed)
    assert "block 1 is there" in (tmp_path / "parse.log").read_text("utf-8")
    (document,) = read_parquet(tmp_path / "deduplicate.parquet", "document")
    whole, _ = parse_sentences(sentences_of(document), load_pipeline(models, "default"), Limits(20, 1000, 1000))
    assert read_parquet(tmp_path / "trees.parquet", "tree") == whole
    assert read_json(tmp_path / "parse.balance.json")["in"] == 600
    assert not list(tmp_path.glob("state/*"))


def test_the_manifest_vouches_for_every_file_and_a_folder_can_be_copied(models: Path, tmp_path: Path) -> None:
    outputs = read_json(models / "parser.json")["outputs"]
    assert set(outputs) >= {"resources.json", "en/pos/treebank.pt", "en/constituency/treebank.pt"}
    copy_models(models, tmp_path)
    assert {name: sha256(tmp_path / name) for name in outputs} == outputs


def test_folders_that_are_not_stanza_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"synthesis\.parser\.path"):
        copy_models(tmp_path, tmp_path / "to")
    with pytest.raises(DiscoError, match="null"):
        folder_of(None)
    with pytest.raises(DiscoError, match="cannot load"):
        load_pipeline(tmp_path, "default")


@pytest.mark.data
def test_order_and_places_hold_for_typographic_text() -> None:
    folder = os.environ.get("DISCOBENCH_STANZA_DIR")
    if not folder:
        pytest.skip("DISCOBENCH_STANZA_DIR does not name a folder of stanza models")
    document = _document(
        "The long road didn\u2019t end.", "\u201cGo now,\u201d she said.", "He sang (quietly)\u00a0there."
    )
    pipeline = load_pipeline(Path(folder), "default")
    records, _ = parse_sentences(sentences_of(document), pipeline, Limits(150, 4000, 100))
    assert [r["id"] for r in records] == ["s:w:d:0", "s:w:d:1", "s:w:d:2"]
    tokens = [[document["text"][t["start"] : t["end"]] for t in r["tokens"]] for r in records]
    assert tokens[0] == ["The", "long", "road", "did", "n\u2019t", "end", "."] and tokens[1][0] == "\u201c"
