"""A real stanza pipeline: trained here in seconds, or the one of DISCOBENCH_STANZA_DIR."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import read_json, sha256
from discobench.records import Balance
from discobench.synthesis.parser import copy_models, folder_of, load_pipeline, write_parser
from discobench.synthesis.parsing import parse, within
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
    balance = Balance("parse")
    document = _document("The old boat fell near the door.", "", "The red lamp stood near the old river. " * 5)
    (record,) = parse([document], load_pipeline(models, "default"), 20, balance)
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
    assert (balance.kept, balance.dropped) == (1, {"empty sentence": 1, "too many tokens": 1})


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
    records = parse([document], load_pipeline(Path(folder), "default"), 150, Balance("parse"))
    assert [r["id"] for r in records] == ["s:w:d:0", "s:w:d:1", "s:w:d:2"]
    tokens = [[document["text"][t["start"] : t["end"]] for t in r["tokens"]] for r in records]
    assert tokens[0] == ["The", "long", "road", "did", "n\u2019t", "end", "."] and tokens[1][0] == "\u201c"


def test_a_work_gives_no_more_sentences_than_the_limit() -> None:
    documents = [
        {"id": f"g:{work}:{n}", "work_id": work, "sentence_offsets": [{"start": k, "end": k + 1} for k in range(4)]}
        for work in "ab"
        for n in range(3)
    ]
    balance = Balance("parse")
    chosen = within(documents, 6, balance)
    assert [d["id"] for d in chosen] == [d["id"] for d in documents]
    assert [sum(len(d["sentence_offsets"]) for d in chosen if d["work_id"] == w) for w in "ab"] == [6, 6]
    assert all(d["sentence_offsets"] == documents[0]["sentence_offsets"][: len(d["sentence_offsets"])] for d in chosen)
    assert balance.dropped == {"over the limit of a work": 12}
    assert within(documents, None, balance) == documents
