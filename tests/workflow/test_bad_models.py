"""Checkpoints that are not there or do not fit, and a hub that is out of reach: through the real command."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discobench.files import read_json, write_json
from tests.models.hub_server import COMMIT, hub
from tests.workflow.bad import Run

pytestmark = [pytest.mark.slow, pytest.mark.torch]

MODEL = "models/bart-large-zh/model.json"
KEY = "checkpoints.bart-large-zh.source"
NOWHERE = {
    "HF_ENDPOINT": "https://huggingface.co",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small BART as ``save_pretrained`` writes it."""
    from discobench.models import family

    folder = tmp_path_factory.mktemp("made")
    family("bart").tiny(folder, ["A door stood open."], {"vocabulary": 300, "hidden": 16, "language": "en"}, 1)
    return folder


def checkpoint(root: Path, name: str, source: str, **variables: str) -> Run:
    changes = {"checkpoints": {"bart-large-zh": {"source": source, "family": "bart"}}}
    return Run(root, name, MODEL, changes, variables)


def config(**values: Any) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        write_json(folder / "config.json", read_json(folder / "config.json") | values)

    return edit


def more_words(folder: Path) -> None:
    """A tokenizer that knows words without embeddings."""
    tokenizer = read_json(folder / "tokenizer.json")
    size = len(tokenizer["model"]["vocab"])
    tokenizer["model"]["vocab"] |= {f"word{n}": size + n for n in range(5)}
    write_json(folder / "tokenizer.json", tokenizer)


CHECKPOINTS: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    "nowhere": (shutil.rmtree, ("is not a folder; check the path",)),
    "configuration": (config(vocab_size=77), ("config.json has vocab_size 77 but its embeddings have", "take")),
    "tokenizer": (more_words, ("the tokenizer has token id", "but the model knows", "take tokenizer and weights")),
    "family": (config(model_type="gpt2"), ("model_type 'gpt2', but family 'bart' takes bart", "own family")),
}


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_a_checkpoint_that_does_not_fit(repository: Path, made: Path, tmp_path: Path, name: str):
    spoil, parts = CHECKPOINTS[name]
    mine = tmp_path / "mine"
    shutil.copytree(made, mine)
    run = checkpoint(repository, f"checkpoint-{name}", f"path:{mine}")
    spoil(mine)
    run.fails(KEY, str(mine), *parts)
    assert run.files() == set()
    shutil.rmtree(mine, ignore_errors=True)
    shutil.copytree(made, mine)
    run.succeeds()


def test_no_network_and_a_checkpoint_that_no_hub_has(repository: Path, made: Path, tmp_path: Path):
    home = {"HF_HOME": str(tmp_path)}
    run = checkpoint(repository, "hub", "hub:somebody/bart", **NOWHERE, **home)
    run.fails(KEY, "hub checkpoint somebody/bart cannot be fetched", "check its name and the network", "path:<folder>")
    assert run.files() == set()
    with hub(made) as endpoint:
        reached = {"HF_ENDPOINT": endpoint, **home}
        unknown = checkpoint(repository, "hub", "hub:nobody/bart", **reached)
        unknown.fails(KEY, "hub checkpoint nobody/bart cannot be fetched", "404 Not Found", "check its name")
        checkpoint(repository, "hub", "hub:somebody/bart", **reached).succeeds()
    assert read_json(run.results / MODEL)["revision"] == COMMIT


def test_weights_that_changed_since_they_were_taken(repository: Path, made: Path):
    taken = checkpoint(repository, "changed", f"path:{made}")
    taken.succeeds()
    weights = taken.results / "models/bart-large-zh/model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0")
    changes = taken.changes | {"finetune": {"tasks": {"te": {"steps": 1}}}}
    run = Run(repository, "changed", "finetune/te/bart-large/seed-1/model.json", changes)
    run.fails(
        "results/changed/models/bart-large-zh/model.safetensors was cut short or changed", "delete results/changed"
    )
    (taken.results / MODEL).unlink()
    run.succeeds()
