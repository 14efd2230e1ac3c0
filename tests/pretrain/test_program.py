"""Promises of pretraining: each family learns, what it writes is a base again, and a killed run ends the same."""

import os
import signal
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discobench.errors import DiscoError
from tests.pretrain.packed import write_packed

pytestmark = [pytest.mark.torch, pytest.mark.slow]
ZH = [
    f"{who}{where}，{what}。"
    for who, where, what in product("他她我", ["回到家", "走出门", "坐下来"], ["没有说话", "笑了"])
]
EN = [f"{who} {what}." for who, what in product(["He", "She", "The boy"], ["went home", "said nothing", "sat down"])]
FAMILIES = {"encoder": ("zh", ZH), "bart": ("zh", ZH), "mbart": ("multi", ZH + EN), "gpt2": ("en", EN)}
TRAINING = {
    "learning_rate": 3e-3,
    "batch_size": 8,
    "batch_unit": "sequences",
    "max_length": 32,
    "steps": 60,
    "warmup": 5,
    "schedule": "linear",
    "betas": [0.9, 0.98],
    "weight_decay": 0.01,
    "dropout": 0.1,
    "clip": 1.0,
    "save_every": 20,
    "keep_best": True,
}


@pytest.fixture(scope="module", params=FAMILIES)
def task(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    import torch
    from transformers import AutoTokenizer

    from discobench.models import family
    from discobench.pretrain.program import Task

    torch.set_num_threads(1)
    language, texts = FAMILIES[request.param]
    base, packed = (tmp_path_factory.mktemp(name) for name in ("base", "packed"))
    family(request.param).tiny(base, texts, {"hidden": 32, "vocabulary": 300, "language": language}, 1)
    tokenizer = AutoTokenizer.from_pretrained(base)
    documents = [tokenizer(text * 2, add_special_tokens=False)["input_ids"] for text in texts]
    genres = [int(text in EN) for text in texts]
    manifest = write_packed(packed, {"train": (documents, genres), "valid": (documents[::4], genres[::4])}, ["z", "e"])
    return Task(request.param, base, manifest, {"z": "zh", "e": "en"}, {}, 0.3, TRAINING)


def pretrain(task: Any, folder: Path, kill_at: int | None = None) -> dict[str, Any]:
    import torch

    from discobench.pretrain import program

    class Killed(program.Pretraining):
        def batch(self, step: int) -> Any:
            if step == kill_at:
                os.kill(os.getpid(), signal.SIGTERM)
            return super().batch(step)

    out = folder / "out"
    out.mkdir(parents=True, exist_ok=True)
    plan = program.plan_of(task.training, 1, "fp32")
    before, program.Pretraining = program.Pretraining, Killed  # type: ignore[misc]
    try:
        return program.continue_pretraining(task, plan, folder / "state", torch.device("cpu"), out)[1]
    finally:
        program.Pretraining = before  # type: ignore[misc]


def test_loss_falls_and_a_killed_run_ends_the_same(task: Any, tmp_path: Path) -> None:
    from discobench.files import sha256
    from discobench.models.store import check_checkpoint

    losses = pretrain(task, tmp_path / "whole")
    assert losses["valid_after"] < 0.8 * losses["valid_before"]
    with pytest.raises(SystemExit):
        pretrain(task, tmp_path / "killed", kill_at=33)
    assert pretrain(task, tmp_path / "killed") == losses
    weights = [tmp_path / name / "out/model.safetensors" for name in ("whole", "killed")]
    assert sha256(weights[0]) == sha256(weights[1])
    check_checkpoint(weights[0].parent)
    assert {path.name for path in task.base.iterdir()} == {path.name for path in weights[0].parent.iterdir()}


def test_it_starts_from_the_base(task: Any, tmp_path: Path) -> None:
    """The first held-out loss is that of the base, the last that of what is written."""
    from dataclasses import replace

    from discobench.pretrain.program import Pretraining, measured

    losses = pretrain(task, tmp_path)
    again = measured(Pretraining(replace(task, base=tmp_path / "out"), 1))
    assert again == pytest.approx(losses["valid_after"], abs=1e-5)


def test_what_each_family_restores(task: Any) -> None:
    from discobench.models.learners.tokens import IGNORED
    from discobench.pretrain.program import Pretraining

    program = Pretraining(task, 1)
    chunks, items = program.sampler.draw(0), program.batch(0)
    for chunk, item in zip(chunks, items, strict=True):
        if task.family == "encoder":
            assert len(item.inputs) == len(item.labels) == len(chunk.ids) + 2
            hidden = item.labels != IGNORED
            assert (item.labels[hidden] == chunk.ids[hidden[1:-1]]).all()
        elif task.family == "gpt2":
            assert (item.labels[:-1] == item.inputs[1:]).all()
        else:
            assert item.decoder is not None
            assert set(chunk.ids.tolist()) <= set(item.labels.tolist())
            assert (item.decoder[1:] == item.labels[:-1]).all()
    if task.family == "mbart":
        assert all(item.decoder[0] == item.inputs[-1] for item in items)
        assert len({int(item.inputs[-1]) for item in items}) == 2


def test_parts_of_a_batch_add_up(task: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from discobench.pretrain import program

    made = program.Pretraining(task, 1)
    made.model.eval()
    whole = made.evaluate()
    monkeypatch.setattr(program, "PART_TOKENS", 20)
    parts = made.parts(made.held_out)
    assert len(parts) > 1 and sum(part.weight for part in parts) == pytest.approx(1)
    assert made.evaluate() == pytest.approx(whole, rel=1e-4)


def test_what_cannot_be_is_said(task: Any) -> None:
    from dataclasses import replace

    from discobench.pretrain.program import Pretraining, plan_of

    with pytest.raises(DiscoError, match="pretraining counts steps"):
        plan_of(TRAINING | {"steps": None}, 1, "fp32")
    with pytest.raises(DiscoError, match="max_length is 9999"):
        Pretraining(replace(task, training=TRAINING | {"max_length": 9999}), 1)
    assert np.isfinite(Pretraining(task, 1).padding())


# The others differ in their batches only.
@pytest.mark.parametrize("task", ["gpt2"], indirect=True)
def test_two_processes_learn_what_one_does(task: Any, tmp_path: Path) -> None:
    """The same chunks with the same noise: losses differ by the order of sums."""
    import torch

    from discobench import ranks
    from discobench.pretrain.program import Task, continue_pretraining, plan_of

    short = Task(**{**vars(task), "training": TRAINING | {"steps": 6, "dropout": 0.0}})
    found = []
    for count in (1, 2):
        out = tmp_path / f"out-{count}"
        out.mkdir()
        plan, place = plan_of(short.training, 1, "fp32"), torch.device("cpu")
        found.append(
            ranks.run(count, place, continue_pretraining, short, plan, tmp_path / f"state-{count}", place, out)[1]
        )
    assert found[1]["valid_before"] == found[0]["valid_before"]
    for name in ("valid_after", "perplexity_after"):
        assert found[1][name] == pytest.approx(found[0][name], rel=1e-3)
    assert [loss for _, loss in found[1]["train"]] == pytest.approx([loss for _, loss in found[0]["train"]], rel=1e-3)
