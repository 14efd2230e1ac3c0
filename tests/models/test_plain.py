"""The plain family: real fairseq training that survives kills, decoding in order, forced decoding."""

import math
import multiprocessing
import os
import re
import signal
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from discobench import progress
from discobench.errors import DiscoError
from discobench.files import read_json, sha256
from discobench.formulations import ChoiceExample, TextExample

pytestmark = [pytest.mark.torch, pytest.mark.slow]

WORDS = ("hill", "water", "wind", "moon", "flower", "snow", "cloud", "rain", "tree", "bird")
ARCHITECTURE = {
    "arch": "transformer",
    "vocabulary": 300,
    "hidden": 64,
    "layers": 1,
    "heads": 4,
    "intermediate": 128,
    "positions": 64,
}

LEARNED: dict[str, Any] = {
    "pairs": 4000,
    "steps": 900,
    "save_every": 200,
    "batch_size": 32,
    "warmup": 50,
    "schedule": "linear",
    "dropout": 0.0,
}


def examples(n: int, seed: int) -> list[TextExample]:
    rng = Random(seed)
    picks = [rng.sample(WORDS, rng.randint(1, 4)) for _ in range(n)]
    rows = [" ".join(pick) for pick in picks]
    return [TextExample(f"toy:{seed}:{i}", row, "en", "en", row) for i, row in enumerate(rows)]


def plan(**changes: Any) -> SimpleNamespace:
    settings = {
        "learning_rate": 3e-3,
        "batch_size": 16,
        "batch_unit": "sequences",
        "max_length": 64,
        "epochs": None,
        "steps": 60,
        "warmup": 10,
        "schedule": "inverse_sqrt",
        "betas": (0.9, 0.98),
        "weight_decay": 0.0,
        "dropout": 0.1,
        "clip": 1.0,
        "save_every": 7,
        "keep_best": True,
        "seed": 1,
        "precision": "fp32",
        "curves": None,
    }
    return SimpleNamespace(**settings | changes)


def decoding(**changes: Any) -> Any:
    from discobench.models.base import Decoding

    return Decoding(**{"beam": 3, "max_new_tokens": 30} | changes)


def plain() -> Any:
    import torch

    from discobench.models import family

    torch.set_num_threads(1)
    return family("plain")


def train(root: Path, valid: int = 20, pairs: int = 400, **changes: Any) -> dict[str, Any]:
    """Also what a process of its own runs."""
    facts: dict[str, Any] = plain().train(
        root / "tiny", root / "out", root / "state", examples(pairs, 1), examples(valid, 2), plan(**changes)
    )
    return facts


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    texts = [text for example in examples(400, 1) for text in (example.source, example.target or "")]
    plain().tiny(folder / "tiny", texts, ARCHITECTURE | {"language": "multi"}, seed=1)
    return folder


@pytest.fixture(scope="module")
def trained(tiny: Path) -> Path:
    train(tiny, **LEARNED)
    return tiny / "out"


def copy_of(tiny: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "tiny").symlink_to(tiny / "tiny")
    return folder


def test_vocabulary_is_reversible(tiny: Path) -> None:
    from discobench.models.plain_model import Vocabulary

    texts = ["山 水\n风", "a\u2028b\u0085c\xa0d\u3000", "<pad> </s> 🙂🙂", " two  spaces ", ""]
    vocabulary = Vocabulary(tiny / "tiny")
    assert [vocabulary.decode(ids) for ids in vocabulary.encode(texts)] == texts


def test_an_unknown_key_of_the_architecture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=r"'depth'.*allowed"):
        plain().tiny(tmp_path, ["text"], {"depth": 3}, seed=1)


def test_choices_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match="text tasks only"):
        plain().predict(tmp_path, [ChoiceExample("x", "p", "q", ("a", "b"))], decoding())


def test_it_learns_to_copy(trained: Path) -> None:
    held_out = examples(40, 3)
    predictions = plain().predict(trained, held_out, decoding())
    assert [p.id for p in predictions] == [e.id for e in held_out]
    pairs = [(p.value, e.target) for p, e in zip(predictions, held_out, strict=True)]
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


def test_every_input_has_its_output_whatever_the_batches(trained: Path) -> None:
    inputs = examples(21, 4)
    inputs.insert(5, TextExample("toy:long", "山" * 200, "zh", "en"))
    one, many = (plain().predict(trained, inputs, decoding(batch_tokens=n)) for n in (1, 500))
    assert one == many
    assert [p.id for p in one] == [e.id for e in inputs]
    assert [p.status for p in one].count("too_long") == 1
    assert one[5].value == ""


def test_sampling_follows_its_seed(trained: Path) -> None:
    inputs = examples(10, 5)
    first, again, other = (
        plain().predict(trained, inputs, decoding(sample=True, temperature=3.0, seed=seed)) for seed in (1, 1, 2)
    )
    assert first == again != other


def test_forced_decoding_prefers_the_right_target(trained: Path) -> None:
    from discobench.models.plain_model import Vocabulary

    inputs = examples(30, 6)
    wrong = [TextExample(e.id, e.source, "zh", "en", f"{e.target} snow hill") for e in inputs]
    right, worse = (plain().log_likelihood(trained, side, decoding(batch_tokens=64)) for side in (inputs, wrong))
    assert [r.id for r in right] == [e.id for e in inputs]
    assert all(r.total < 0 and math.isfinite(r.total) for r in right)
    assert right[0].tokens == len(Vocabulary(trained).encode([inputs[0].target or ""])[0]) + 1
    assert sum(r.total > w.total for r, w in zip(right, worse, strict=True)) >= 28


def test_forced_decoding_refuses_what_is_too_long(trained: Path) -> None:
    with pytest.raises(DiscoError, match="64 positions"):
        plain().log_likelihood(trained, [TextExample("toy:long", "山" * 200, "zh", "en", "x")], decoding())


def test_training_says_how_far_it_is_in_all(
    tiny: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside fairseq's counts of an epoch, and from where a stopped run goes on."""
    from discobench import speed

    monkeypatch.setattr(speed, "SECONDS_BETWEEN_LINES", -1.0)
    root = copy_of(tiny, tmp_path)
    for steps in (4, 6):
        with caplog.at_level("INFO"):
            train(root, pairs=80, steps=steps, save_every=2)
    lines = [line for line in caplog.messages if line.startswith("step ")]
    assert [line.split(",")[0] for line in lines] == [f"step {n}/{4 if n < 5 else 6}" for n in range(1, 7)]
    assert all(re.search(r"loss \d+\.\d{4}, \d+ tokens/s, .* \d:\d\d:\d\d left$", line) for line in lines)


def test_decoding_says_how_far_it_is(
    trained: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", -1.0)
    with caplog.at_level("INFO"):
        plain().predict(trained, examples(30, 5), decoding(batch_tokens=40))
        plain().log_likelihood(trained, examples(30, 5), decoding(batch_tokens=40))
    for what in ("decoding", "scoring"):
        lines = [line for line in caplog.messages if line.startswith(f"{what}: ")]
        assert len(lines) > 1 and lines[-1].startswith(f"{what}: 30 of 30 examples (100%)")
        assert re.search(r"\d s left$", lines[1])


def test_a_killed_run_ends_as_an_undisturbed_one(tiny: Path, tmp_path: Path) -> None:
    whole, killed = copy_of(tiny, tmp_path / "whole"), copy_of(tiny, tmp_path / "killed")
    facts = train(whole)
    for kill, after in ((signal.SIGTERM, 10), (signal.SIGKILL, 30)):
        interrupt(killed, kill, after)
    assert train(killed) == facts
    assert sha256(whole / "out" / "model.safetensors") == sha256(killed / "out" / "model.safetensors")


def interrupt(root: Path, kill: signal.Signals, after: int) -> None:
    """Train in a process of its own and kill it once the state is past update ``after``."""
    child = multiprocessing.get_context("spawn").Process(target=train, args=(root,))
    child.start()
    until = time.monotonic() + 120
    while time.monotonic() < until and reached(root) <= after:
        time.sleep(0.01)
    assert child.pid and child.is_alive()
    os.kill(child.pid, kill)
    child.join()
    assert child.exitcode == -kill


def reached(root: Path) -> int:
    files = (root / "state" / "checkpoints").glob("checkpoint_[0-9]*.pt")
    return max((int(path.stem.split("_")[-1]) for path in files), default=0)


def test_a_broken_last_checkpoint_is_passed_over(tiny: Path, tmp_path: Path) -> None:
    root = copy_of(tiny, tmp_path)
    facts = train(root, steps=30)
    digest = sha256(root / "out" / "model.safetensors")
    last = root / "state" / "checkpoints" / "checkpoint_last.pt"
    last.write_bytes(last.read_bytes()[:1000])
    assert train(root, steps=30) == facts
    assert sha256(root / "out" / "model.safetensors") == digest


def test_a_finished_run_takes_no_further_step(trained: Path) -> None:
    digest = sha256(trained / "model.safetensors")
    assert train(trained.parent, **LEARNED)["step"] <= LEARNED["steps"]
    assert sha256(trained / "model.safetensors") == digest


@pytest.mark.parametrize("schedule", ["linear", "constant"])
def test_epochs_and_tokens_count_updates(tiny: Path, tmp_path: Path, schedule: str) -> None:
    root = copy_of(tiny, tmp_path)
    facts = train(root, steps=None, epochs=2, schedule=schedule, batch_unit="tokens", batch_size=200, keep_best=False)
    assert 8 <= facts["step"] <= 40


def test_long_pairs_are_left_out_and_counted(tiny: Path, tmp_path: Path) -> None:
    root = copy_of(tiny, tmp_path)
    assert train(root, steps=3, max_length=4)["facts"]["too_long"]["train"] > 0
    with pytest.raises(DiscoError, match="max_length 1"):
        train(copy_of(tiny, tmp_path / "none"), max_length=1)


def test_no_validation_data_means_the_last_weights(tiny: Path, tmp_path: Path) -> None:
    facts = train(copy_of(tiny, tmp_path), valid=0, steps=5)
    assert facts["step"] == 5
    assert facts["losses"] == {"curve": [], "best_step": None, "best": None}
    assert facts["facts"] == {"too_long": {"train": 0, "valid": 0}}


def test_fine_tuning_and_decoding_reach_it_like_any_family(tiny: Path, tmp_path: Path) -> None:
    import torch

    from discobench.finetune.run import Run, finetune
    from discobench.models.base import Settings
    from discobench.models.finetuned import fine_tuned

    settings, training = Settings("text", 64), vars(plan(steps=5))
    seed, precision, cpu = training.pop("seed"), training.pop("precision"), torch.device("cpu")
    curves = training.pop("curves") or tmp_path / "curves"
    folders = (tmp_path / "state", tmp_path / "out")
    run = Run(plain(), tiny / "tiny", settings, training, seed, precision, cpu, *folders, curves=curves)
    facts = finetune(run, examples(60, 1), examples(8, 2))
    assert facts["step"] == 5
    assert {path.parent.name for path in curves.rglob("*tfevents*")} == {"train", "valid"}
    assert len(fine_tuned(plain(), run.out, facts, cpu).predict(examples(9, 3), decoding())) == 9


def test_the_folder_holds_what_decoding_needs_and_no_pickle(trained: Path) -> None:
    names = {path.name for path in trained.iterdir()}
    assert names == {"architecture.json", "tokenizer.json", "model.safetensors"}
    assert read_json(trained / "architecture.json") == ARCHITECTURE
