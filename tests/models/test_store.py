"""Promises of the store: a folder is what its manifest says, and its parts fit together."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import read_json, write_json
from discobench.models import sources, store
from discobench.models.hub import wanted_files
from discobench.models.tokenizers import write_wordpiece
from tests.conftest import environment
from tests.models.hub_server import COMMIT, hub
from tests.support import ROOT

pytestmark = [pytest.mark.torch, pytest.mark.slow]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("made")
    write_wordpiece(folder, ["门外有一棵老树，树下没有人。"], 300)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=40, max_position_embeddings=64, **sizes)).save_pretrained(folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    sources.localise(made, tmp_path)
    return tmp_path


def changed(folder: Path, **values: Any) -> None:
    write_json(folder / "config.json", read_json(folder / "config.json") | values)


def test_manifest_lists_files_and_counts_parameters(folder: Path) -> None:
    from transformers import BertModel

    path = store.write_manifest(folder, checkpoint="x", family="encoder", language="zh", source="tiny:encoder", seed=3)
    manifest = store.read_manifest(path)
    assert set(manifest["outputs"]) == {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    assert manifest["parameters"] == BertModel.from_pretrained(folder).num_parameters()
    assert manifest["versions"]["torch"] and manifest["training"] is None
    weights = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights[:-1] + b"\1")
    with pytest.raises(DiscoError, match=r"model\.safetensors was cut short or changed"):
        store.read_manifest(path)
    (folder / "config.json").unlink()
    with pytest.raises(DiscoError, match=r"config\.json is gone"):
        store.read_manifest(path)


def test_a_whole_checkpoint_passes(folder: Path) -> None:
    store.check_checkpoint(folder, max_length=64)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"vocab_size": 41}, "embeddings have 40 rows"),
        ({"vocab_size": "40"}, "vocab_size '40'; take the file from the same checkpoint"),
        ({"pad_token_id": 40}, "pad_token_id is 40"),
        ({"pad_token_id": 7}, r"pad_token_id is 7 \(.\), to the tokenizer it is 0 \(\[PAD\]\); take both"),
        ({"eos_token_id": 7}, r"eos_token_id is 7 \(.\), to the tokenizer it is 2 \(\[CLS\]\), 3 \(\[SEP\]\)"),
        ({"max_position_embeddings": 32}, "allows 32 positions"),
    ],
)
def test_parts_that_do_not_fit_are_named(folder: Path, values: dict[str, int], message: str) -> None:
    changed(folder, **values)
    with pytest.raises(DiscoError, match=message):
        store.check_checkpoint(folder, max_length=64)


def test_a_checkpoint_of_another_family_is_refused(folder: Path) -> None:
    store.check_checkpoint(folder, family="encoder")
    with pytest.raises(
        DiscoError, match=r"model_type 'bert', but family 't5' takes t5, mt5; name the checkpoint's own"
    ):
        store.check_checkpoint(folder, family="t5")


def test_weights_under_other_names_are_not_drawn_anew_without_a_word(folder: Path) -> None:
    from safetensors.torch import load_file, save_file
    from transformers import BertModel

    from discobench.models.base import Settings
    from discobench.models.learners.loading import pretrained

    settings = Settings("choice", 64)
    pretrained(BertModel, folder, settings, 1)
    weights = load_file(folder / "model.safetensors")
    save_file({f"mine.{name}": value for name, value in weights.items()}, folder / "model.safetensors")
    with pytest.raises(DiscoError, match=r"lacks most weights of a BertModel, embeddings\.LayerNorm\.bias among them"):
        pretrained(BertModel, folder, settings, 1)


def test_a_larger_vocabulary_than_the_model_is_refused(folder: Path) -> None:
    write_wordpiece(folder, ["".join(chr(0x4E00 + n) for n in range(60))], 300)
    with pytest.raises(DiscoError, match="token id 64 but the model knows 40"):
        store.check_checkpoint(folder)


def test_pickles_are_refused_with_a_remedy(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(DiscoError, match=r"only pytorch_model\.bin.*save_pretrained"):
        store.check_checkpoint(folder)
    with pytest.raises(DiscoError, match=r"no model\.safetensors"):
        wanted_files("someone/bert", ["tf_model.h5", "config.json", "onnx/model.safetensors"])


def pickled(made: Path, folder: Path, **more: Any) -> Path:
    """The checkpoint as PyTorch wrote it before safetensors, in two parts, its output tied to its embeddings."""
    import torch
    from safetensors.torch import load_file

    weights = load_file(made / "model.safetensors")
    tied = {"cls.predictions.decoder.weight": weights["embeddings.word_embeddings.weight"]}
    numbers = {"embeddings.position_ids": torch.arange(64)}
    half = len(weights) // 2
    names = sorted(weights, key=lambda name: not name.endswith("word_embeddings.weight"))
    for n, part in enumerate((names[:half], names[half:])):
        extra = {} if n else tied | numbers | more
        torch.save({name: weights[name] for name in part} | extra, folder / f"pytorch_model-{n}-of-2.bin")
    for path in made.iterdir():
        if path.suffix == ".json":
            (folder / path.name).write_bytes(path.read_bytes())
    return folder


def test_older_weights_become_the_same_safetensors(made: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    folders = [tmp_path / name for name in ("given", "taken")]
    for each in folders:
        each.mkdir()
    sources.localise(pickled(made, folders[0]), folders[1], "encoder")
    found, known = load_file(folders[1] / "model.safetensors"), load_file(made / "model.safetensors")
    assert found.keys() == known.keys()
    assert all(found[name].equal(known[name]) for name in known)
    assert not list(folders[1].glob("*.bin"))


class Harm:
    def __reduce__(self) -> Any:
        return os.mkdir, ("harm",)


def test_a_pickle_that_holds_more_than_weights_is_not_run(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    given = pickled(made, tmp_path, harm=Harm())
    with pytest.raises(DiscoError, match=r"is broken or holds more than weights.*save_pretrained"):
        sources.localise(given, tmp_path / "taken")
    assert not (tmp_path / "harm").exists()


def test_fetching_converts_older_weights(made: Path, tmp_path: Path) -> None:
    (tmp_path / "hub").mkdir()
    with hub(pickled(made, tmp_path / "hub")) as endpoint:
        ran = run_fetch(tmp_path, endpoint)
    assert ran.returncode == 0, ran.stderr
    manifest = store.read_manifest(tmp_path / "out/model.json")
    assert "model.safetensors" in manifest["outputs"] and not list((tmp_path / "out").glob("*.bin"))
    assert manifest["parameters"] == store.count_parameters(made)


def test_broken_weights_are_named(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\x10")
    with pytest.raises(DiscoError, match="not a whole safetensors file"):
        store.check_checkpoint(folder)


def test_weights_that_end_too_early_are_named(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-8])
    with pytest.raises(DiscoError, match="not a whole safetensors file"):
        store.check_checkpoint(folder)


def test_a_configuration_that_is_no_object_is_named(folder: Path) -> None:
    write_json(folder / "config.json", [])
    with pytest.raises(DiscoError, match=r"config\.json holds no object"):
        store.check_checkpoint(folder)


def test_of_a_repository_only_weights_and_configuration_are_taken() -> None:
    names = ["model.safetensors", "model.fp16.safetensors", "config.json", "vocab.txt", "tf_model.h5", "a/config.json"]
    assert wanted_files("x", names) == ["config.json", "model.safetensors", "vocab.txt"]


def test_revisions_are_remembered(tmp_path: Path) -> None:
    lock = tmp_path / "checkpoints.lock.json"
    assert sources.read_lock(lock) == {}
    sources.record_revision(lock, "a/b", "123")
    sources.record_revision(lock, "c/d", "456")
    assert sources.read_lock(lock) == {"a/b": "123", "c/d": "456"}


def run_fetch(folder: Path, endpoint: str) -> subprocess.CompletedProcess[str]:
    """Run the script of rule ``fetch`` alone, as its job file lets one do."""
    params = {
        "source": "a/b",
        "revision": None,
        "family": "encoder",
        "language": "zh",
        "lock": str(folder / "lock.json"),
        "printed": None,
    }
    job = {"input": {}, "output": {"manifest": str(folder / "out/model.json")}, "params": params, "rule": "fetch"}
    job |= {"wildcards": {"checkpoint": "x"}, "resources": {}, "threads": 1, "log": str(folder / "log.txt")}
    write_json(folder / "fetch.job.json", job)
    command = [sys.executable, "scripts/models/fetch.py", str(folder / "fetch.job.json")]
    environment = os.environ | {"HF_ENDPOINT": endpoint, "HF_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=120)


def test_nothing_else_asks_a_hub_whatever_the_environment_says() -> None:
    program = "import discobench.models, huggingface_hub.constants as c; print(c.HF_HUB_OFFLINE)"
    told = environment() | {"HF_HUB_OFFLINE": "0"}
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=told, capture_output=True, encoding="utf-8")
    assert ran.stdout.strip() == "True", ran.stderr


def test_fetching_takes_the_checkpoint_and_records_its_commit(made: Path, tmp_path: Path) -> None:
    with hub(made) as endpoint:
        ran = run_fetch(tmp_path, endpoint)
    assert ran.returncode == 0, ran.stderr
    manifest = store.read_manifest(tmp_path / "out/model.json")
    assert manifest["revision"] == COMMIT and sources.read_lock(tmp_path / "lock.json") == {"a/b": COMMIT}
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*manifest["outputs"], "model.json"}
    store.check_checkpoint(tmp_path / "out")


def test_an_unreachable_hub_is_a_sentence(tmp_path: Path) -> None:
    ran = run_fetch(tmp_path, "http://127.0.0.1:9")
    assert ran.returncode == 1
    assert "hub checkpoint a/b cannot be fetched" in ran.stderr and "path:<folder>" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_manifest_tells_the_shape(folder: Path) -> None:
    assert store.shape_of(folder) == {"vocabulary": 40, "layers": 1, "heads": 2}
    changed(folder, encoder_layers=3, decoder_layers=4)
    assert store.shape_of(folder)["layers"] == "3+4"


def test_the_size_of_a_model_stands_beside_what_the_paper_prints(tmp_path: Path) -> None:
    from discobench.models.store import size_line

    shape = {"vocabulary": 21128, "layers": "12+12"}
    write_json(tmp_path / "model.json", {"parameters": 375_913_472, "shape": shape})
    found = size_line(tmp_path / "model.json", "406M")
    assert found == "375,913,472 parameters (the paper prints 406M), layers 12+12, vocabulary 21128"
    write_json(tmp_path / "model.json", {"parameters": 0, "shape": {}})
    assert size_line(tmp_path / "model.json", None) == "parameters not drawn yet"
