"""Promises of pretraining in two processes: what one would learn, whatever each holds of the model."""

from pathlib import Path
from typing import Any

import pytest

from tests.pretrain.texts import TRAINING

pytestmark = [pytest.mark.torch, pytest.mark.slow]


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
        state = tmp_path / f"state-{count}"
        found.append(ranks.run(count, place, continue_pretraining, short, plan, state, place, out)[1]["losses"])
    assert found[1]["valid_before"] == found[0]["valid_before"]
    for name in ("valid_after", "perplexity_after"):
        assert found[1][name] == pytest.approx(found[0][name], rel=1e-3)
    assert [loss for _, loss in found[1]["train"]] == pytest.approx([loss for _, loss in found[0]["train"]], rel=1e-3)


# It has an encoder and a decoder, and weights that three places share.
@pytest.mark.parametrize("task", ["bart"], indirect=True)
def test_two_processes_that_share_out_the_model_learn_what_one_does_though_killed(task: Any, tmp_path: Path) -> None:
    from dataclasses import replace

    import torch
    from safetensors import safe_open

    from discobench import ranks
    from discobench.pretrain.program import continue_pretraining, plan_of
    from tests.pretrain import killing

    short = replace(task, training=TRAINING | {"steps": 8, "dropout": 0.0, "save_every": 4}, part_tokens=60)
    cpu, outs = torch.device("cpu"), [tmp_path / name for name in ("alone", "shared")]
    for out in outs:
        out.mkdir()
    plans = [plan_of(short.training | {"recompute": kind == "full"}, 1, "fp32", kind) for kind in ("none", "full")]
    _, alone = continue_pretraining(short, plans[0], tmp_path / "state-alone", cpu, outs[0])
    arguments = (killing.run, 5, tmp_path / "killed", short, plans[1], tmp_path / "state", cpu, outs[1])
    with pytest.raises(SystemExit):
        ranks.run(2, cpu, *arguments)
    assert max(path.name for path in (tmp_path / "state").glob("step-*")) > "step-000000004"
    _, shared = ranks.run(2, cpu, *arguments)
    train = [[loss for _, loss in facts["losses"]["train"]] for facts in (alone, shared)]
    assert train[1] == pytest.approx(train[0], rel=1e-4)
    assert shared["losses"]["valid_after"] == pytest.approx(alone["losses"]["valid_after"], rel=1e-4)
    weights = [safe_open(str(out / "model.safetensors"), "pt") for out in outs]
    alone_weights = list(weights[0].keys())
    assert alone_weights == list(weights[1].keys())
    for name in alone_weights:
        assert weights[0].get_tensor(name).allclose(weights[1].get_tensor(name), atol=1e-4), name


@pytest.mark.parametrize("task", ["gpt2"], indirect=True)
def test_launchers_of_two_nodes_learn_what_one_process_does(task: Any, tmp_path: Path) -> None:
    """Two of torchrun on this machine, which meet at one port, as two nodes of a cluster would."""
    from dataclasses import replace

    from discobench.errors import DiscoError
    from discobench.pretrain.job import Job, done
    from discobench.pretrain.program import plan_of

    short = replace(task, training=TRAINING | {"steps": 4, "dropout": 0.0}, part_tokens=60)
    found = []
    for on in (1, 2):
        out, state = tmp_path / f"out-{on}", tmp_path / f"state-{on}"
        out.mkdir()
        state.mkdir()
        plan = plan_of(short.training, 1, "fp32", "full")
        job = Job(short, plan, state, "cpu", out, tmp_path / f"curves-{on}")
        found.append(done(job, on, 1)["losses"])
    assert found[1]["valid_after"] == pytest.approx(found[0]["valid_after"], rel=1e-4)
    assert [loss for _, loss in found[1]["train"]] == pytest.approx([loss for _, loss in found[0]["train"]], rel=1e-4)
    with pytest.raises(DiscoError, match="is not a folder"):
        done(replace(job, task=replace(short, base=tmp_path / "nowhere")), 2, 1)
