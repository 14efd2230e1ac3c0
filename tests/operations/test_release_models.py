"""A model is passed on with its card, and only where all that it learned from allows that."""

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.files import blocks, read_json
from discobench.operations.model_card import model_card
from discobench.operations.release import archive, model_refusals
from discobench.pretrain.stream import sizes
from tests.conftest import copy_of, snakemake
from tests.pretrain.packed import write_packed

FACTS: dict[str, Any] = {
    "version": "1.2",
    "comparable": True,
    "genres": {
        "zh_novel": {"genre": "Novel", "description": "Web", "language": "zh", "licence": "MIT", "weight": 1.0},
        "zh_poetry": {"genre": "Poetry", "description": "Shi", "language": "zh", "licence": "CC0-1.0", "weight": 2.5},
    },
    "base": {"source": "hub:some/bert", "licences": ["Apache-2.0"]},
    "licences": ["Apache-2.0", "CC0-1.0", "MIT"],
    "paper": {"parameters": "110M", "vocabulary": 21128, "layers": "12", "heads": "12"},
}
MANIFEST: dict[str, Any] = {
    **{"checkpoint": "disco-bert", "family": "encoder", "language": "zh", "base": "bert", "source": "pretrain:bert"},
    **{"seed": 7, "step": 50, "device": "cuda:0", "parameters": 102290312, "outputs": {"config.json": "ab" * 32}},
    "training": {"learning_rate": 3e-4, "betas": [0.9, 0.999], "epochs": None},
    "recipe": {"weights": {"zh_poetry": 2.5}, "mask_share": 0.15, "mixed": False},
    "seen": {"zh_novel": {"chunks": 40, "drawn": 50}, "zh_poetry": {"chunks": 0, "drawn": 0}},
    "shape": {"vocabulary": 21128, "layers": 12, "heads": 12},
    "versions": {"torch": "2.13.0"},
    "losses": {
        "train": [[1, 5.0], [2, 4.5], [50, 3.25]],
        **{"valid_before": 5.5, "valid_after": 3.5, "perplexity_before": 244.69, "perplexity_after": 33.12},
    },
}
SIZES = {
    "train": {"zh_novel": (3, 12000), "zh_poetry": (2, 10)},
    "valid": {"zh_novel": (1, 5), "zh_poetry": (0, 0)},
}


def selection(tree: dict, licences: dict[str, str], **terms: Any) -> Selection:
    """The paper with a licence for each key of ``licences`` and others' ``terms``; all other genres have MIT."""
    for name, entry in tree["genres"].items():
        entry["licence"] = licences.get(name, "MIT")
    for name in licences.keys() & tree["checkpoints"].keys():
        tree["checkpoints"][name]["licence"] = licences[name]
    tree["licences"] |= terms
    return Selection(parse(tree, "config.yaml"))


def test_a_model_is_refused_by_the_keys_of_all_that_it_learned_from(tree: dict):
    chosen = selection(tree, {"zh_poetry": "mine", "zh_book": "research-only", "en_book": "mine"})
    found = model_refusals(chosen, ["disco-roberta-base"])
    assert [sentence.partition(": ")[0] for sentence in found] == [
        "genres.zh_book.licence",
        "genres.zh_poetry.licence",
        "checkpoints.roberta-base-zh.licence",
    ]
    assert "under which no model that learned" in found[0]
    assert "does not say whether" in found[1] and "found no licence" in found[2]


def test_weights_drawn_here_need_no_licence_and_others_do(tree: dict):
    assert model_refusals(selection(tree, {}), ["disco-gpt2-zh"]) == []
    assert len(model_refusals(selection(tree, {}), ["disco-gpt2-zh", "disco-gpt2-en"])) == 1
    assert model_refusals(selection(tree, {"gpt2-en": "MIT"}), ["disco-gpt2-zh", "disco-gpt2-en"]) == []


def test_what_the_base_learned_from_counts_too(tree: dict):
    tree["checkpoints"]["disco-gpt2-en"]["base"] = "disco-gpt2-zh"
    assert "genres.zh_novel.licence" in selection(tree, {}).model_licences("disco-gpt2-en")


@pytest.mark.parametrize(("texts", "models", "free"), [(True, False, False), (False, True, True), (True, None, True)])
def test_a_licence_may_say_of_models_what_it_does_not_say_of_texts(tree: dict, texts: bool, models: Any, free: bool):
    chosen = selection(tree, {"zh_novel": "mine"}, mine={"texts": texts, "models": models})
    assert (model_refusals(chosen, ["disco-gpt2-zh"]) == []) is free


def test_a_card_says_what_the_model_is_made_of():
    card = model_card(MANIFEST, {"revision": "abc1"}, "BertForMaskedLM", SIZES, FACTS)
    for part in (
        "# disco-bert 1.2",
        "starts from: bert (hub:some/bert at revision abc1; Apache-2.0)",
        "| zh_novel | Novel: Web | zh | MIT | 1 | 1.25 | 3 | 12,000 | 1 | 5 |",
        "| zh_poetry | Poetry: Shi | zh | CC0-1.0 | 2.5 | 0 | 2 | 10 | 0 | 0 |",
        "| parameters | 102,290,312 | 110M |",
        "| learning_rate | 0.0003 |",
        "| betas | 0.9, 0.999 |",
        "| mask_share | 0.15 |",
        "| mixed | False |",
        "| seed | 7 |",
        "| loss at step 1 | 5.0000 |",
        "| loss at step 50 | 3.2500 |",
        "| held-out perplexity after | 33.1200 |",
        "| torch | 2.13.0 |",
        f"| model/config.json | {'ab' * 32} |",
        "transformers.BertForMaskedLM.from_pretrained('model')",
    ):
        assert part in card
    assert "epochs" not in card and "weights" not in card and "another scale" not in card and "step 2 " not in card


def test_a_card_is_whole_where_nothing_was_held_out():
    losses = {"train": [], "valid_before": None, "valid_after": None}
    facts = FACTS | {"comparable": False, "base": {"source": "tiny:bert", "licences": []}}
    card = model_card(MANIFEST | {"losses": losses}, {}, "BertForMaskedLM", SIZES, facts)
    assert "(tiny:bert; drawn for this run)" in card and "another scale" in card
    assert "held-out loss" not in card


def test_documents_and_tokens_of_a_genre_are_those_of_its_arrays(tmp_path: Path):
    documents = ([[5] * 3, [6] * 4, [7] * 5], [0, 2, 0])
    packed = write_packed(tmp_path, {"train": documents, "valid": ([], [])}, ["a", "b", "c"])
    assert sizes(packed, "train") == {"a": (2, 8), "b": (0, 0), "c": (1, 4)}
    assert sizes(packed, "valid") == {"a": (0, 0), "b": (0, 0), "c": (0, 0)}


def test_weights_are_packed_as_they_are(tmp_path: Path):
    (tmp_path / "w.safetensors").write_bytes(bytes(3_000_000))
    members = [("model/w.safetensors", blocks(tmp_path / "w.safetensors")), ("README.md", ["文" * 1000])]
    archive(tmp_path / "a.zip", members)
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        kept = {entry.filename: (entry.compress_size == entry.file_size) for entry in packed.infolist()}
        assert packed.read("model/w.safetensors") == bytes(3_000_000)
    assert kept["model/w.safetensors"] and not kept["README.md"]


def planned(root: Path, folder: Path, **keys: Any) -> str:
    """What the command says to a plan of the release of the demo's models, with other keys."""
    (folder / "mine.yaml").write_text(json.dumps({"preset": "demo"} | keys), encoding="utf-8", newline="\n")
    arguments = ("--profile", "profiles/demo", "-n", "release_models", "--configfile", str(folder / "mine.yaml"))
    return snakemake(root, *arguments, timeout=120).stdout


@pytest.mark.slow
def test_the_command_refuses_what_may_not_be_passed_on(repository: Path, tmp_path: Path):
    said = planned(
        repository, tmp_path, genres={"zh_novel": {"licence": "CC-BY-NC-ND-4.0"}, "en_book": {"licence": None}}
    )
    assert "The models cannot be released." in said
    assert "genres.zh_novel.licence: found 'CC-BY-NC-ND-4.0', under which no model that learned from it" in said
    assert "genres.en_book.licence: found no licence" in said
    assert "there is no model to release" in planned(repository, tmp_path, run={"rows": ["bart-large"]})


@pytest.mark.slow
@pytest.mark.torch
def test_the_command_packs_a_model_that_loads(demo_root: Path, tmp_path: Path):
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    root = copy_of(demo_root, tmp_path / "copy", "seed-*")
    name = "results/demo/release/disco-roberta-base-0.1.0.zip"
    done = snakemake(root, "--profile", "profiles/demo", name, timeout=300)
    assert done.returncode == 0, done.stdout
    with zipfile.ZipFile(root / name) as packed:
        assert not any(entry.startswith("/") or ".." in entry for entry in packed.namelist())
        packed.extractall(tmp_path / "out")
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=tmp_path / "out", check=True)
    card = (tmp_path / "out/README.md").read_text("utf-8")
    found = read_json(tmp_path / "out/model/model.json")
    assert found["checkpoint"] == "disco-roberta-base" and f"| parameters | {found['parameters']:,} | 110M |" in card
    assert "| zh_novel | " in card and " | Apache-2.0 | " in card and "another scale" in card
    assert len(AutoTokenizer.from_pretrained(tmp_path / "out/model")) <= found["shape"]["vocabulary"]
    assert AutoModelForMaskedLM.from_pretrained(tmp_path / "out/model").num_parameters() == found["parameters"]
