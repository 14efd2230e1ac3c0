"""Promises of pretraining: each family learns, what it writes is a base again, and a killed run ends the same."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discobench.errors import DiscoError
from tests.pretrain.packed import write_packed
from tests.pretrain.texts import TRAINING

pytestmark = [pytest.mark.torch, pytest.mark.slow]


def pretrain(task: Any, folder: Path, kill_at: int | None = None, precision: str = "fp32") -> dict[str, Any]:
    import torch

    from discobench.pretrain import program

    class Killed(program.Pretraining):
        def share(self, step: int, rank: int, world: int) -> Any:
            if step == kill_at:
                os.kill(os.getpid(), signal.SIGTERM)
            return super().share(step, rank, world)

    out = folder / "out"
    out.mkdir(parents=True, exist_ok=True)
    plan = program.plan_of(task.training, 1, precision)
    before, program.Pretraining = program.Pretraining, Killed  # type: ignore[misc]
    try:
        return program.continue_pretraining(task, plan, folder / "state", torch.device("cpu"), out)[1]["losses"]
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

    from discobench.pretrain.program import Pretraining, measured, plan_of

    losses = pretrain(task, tmp_path)
    again = measured(Pretraining(replace(task, base=tmp_path / "out"), 1), plan_of(task.training, 1, "fp32"))
    assert again == pytest.approx(losses["valid_after"], abs=1e-5)


@pytest.mark.parametrize("task", ["encoder"], indirect=True)
def test_what_is_measured_at_the_end_is_what_was_measured_along_the_way(task: Any, tmp_path: Path) -> None:
    """In bf16 too, where fp32 would measure another loss of the same weights."""
    from dataclasses import replace

    from discobench.pretrain.program import Pretraining, measured, plan_of

    losses = pretrain(replace(task, training=TRAINING | {"steps": 20}), tmp_path, precision="bf16")
    assert losses["valid_after"] == losses["valid"][-1]["loss"]
    plain = measured(Pretraining(replace(task, base=tmp_path / "out"), 1), plan_of(task.training, 1, "fp32"))
    assert plain != losses["valid_after"]


def drawn(program: Any, step: int) -> tuple[list[Any], list[Any]]:
    """Chunks of a step and what is made of them."""
    draws = program.sampler.draws(step)
    chunks = program.sampler.chunks(draws)
    made = [program._restored(program.stream, int(c), n, 1) for c, n in zip(chunks, draws, strict=True)]
    return [program.stream.chunk(int(c)) for c in chunks], made


def test_what_each_family_restores(task: Any) -> None:
    from discobench.models.learners.tokens import IGNORED
    from discobench.pretrain.program import Pretraining

    program = Pretraining(task, 1)
    chunks, items = drawn(program, 0)
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


def test_every_family_that_config_lets_through_has_an_objective_and_a_class() -> None:
    from discobench.errors import DiscoError
    from discobench.pretrain import FAMILIES
    from discobench.pretrain.objectives import Hiding, model_class, objective

    assert all(model_class(name) for name in FAMILIES)
    with pytest.raises(DiscoError, match=f"allowed: {', '.join(FAMILIES)}"):
        objective("t5", None, Hiding(0.1, 3.0))  # type: ignore[arg-type]


def test_parts_add_up_to_the_loss_of_plain_logits(task: Any) -> None:
    """Cut into parts or not, and with logits only where they count, the mean is that of all logits with a mask."""
    from dataclasses import replace

    import torch

    from discobench.models.learners.tokens import IGNORED, mask_of, padded
    from discobench.pretrain.program import Pretraining

    found = []
    for tokens in (10_000, 40):
        program = Pretraining(replace(task, part_tokens=tokens), 1)
        program.model.eval()
        parts = [part for _, part in program.share(0, 0, 1)]
        total = sum(part.weight for part in parts)
        found.append((len(parts), sum(program.loss(p.batch).item() * p.weight / total for p in parts)))
    _, items = drawn(program, 0)
    cpu, rows = torch.device("cpu"), [item.inputs.tolist() for item in items]
    inputs = {"input_ids": padded(rows, program.pad, cpu), "attention_mask": mask_of(rows, cpu)}
    if items[0].decoder is not None:
        inputs["decoder_input_ids"] = padded([item.decoder.tolist() for item in items], program.pad, cpu)
    program._head(task.family)._forward_pre_hooks.clear()
    logits = program.model(**inputs, use_cache=False).logits
    labels = padded([item.labels.tolist() for item in items], IGNORED, cpu)
    plain = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
    assert found[0][0] < found[1][0]
    assert [loss for _, loss in found] == pytest.approx([plain.item()] * 2, rel=1e-4)


def test_each_process_makes_its_own_parts_and_all_make_the_batch(task: Any) -> None:
    from dataclasses import replace

    from discobench.pretrain.program import Pretraining

    program = Pretraining(replace(task, part_tokens=40), 1)
    whole = dict(program.share(3, 0, 1))
    shares = [program.share(3, rank, 2) for rank in range(2)]
    assert len(shares[0]) == len(shares[1])
    real = [(number, part) for share in shares for number, part in share if part.weight]
    assert sorted(number for number, _ in real) == sorted(whole)
    for number, part in real:
        for name, tensor in part.batch.inputs.items():
            assert tensor.equal(whole[number].batch.inputs[name])


def logits_of(program: Any, documents: Any) -> list[Any]:
    """Logits at each row's own tokens, rows side by side as a part has them."""
    import torch

    rows = program._rows(documents)
    program._head(program.task.family).places = torch.arange(
        rows.inputs.get("decoder_input_ids", rows.inputs["input_ids"]).numel()
    )
    with torch.no_grad():
        flat = program.model.eval()(**rows.inputs, use_cache=False).logits
    found = flat.view(len(documents), -1, flat.shape[-1])
    return [found[n, : len(item.labels)] for n, item in enumerate(documents)]


def test_a_document_is_read_the_same_whatever_its_neighbours(task: Any) -> None:
    from discobench.pretrain.program import Pretraining

    program = Pretraining(task, 1)
    items = sorted(drawn(program, 0)[1], key=lambda item: len(item.inputs))
    (alone,), beside = logits_of(program, items[:1]), logits_of(program, [items[0], items[-1], items[3]])
    assert alone.allclose(beside[0], atol=1e-5)


def test_mixed_documents_fill_rows_and_are_read_across_their_borders(task: Any) -> None:
    """The same tokens have other logits once another document stands before them; nothing masks what separates them."""
    from dataclasses import replace

    from discobench.models.learners.tokens import IGNORED
    from discobench.pretrain.program import Pretraining

    program = Pretraining(replace(task, mixed=True), 1)
    chunks, items = drawn(program, 0)
    assert min(len(chunk.ids) for chunk in chunks) > 0.8 * max(len(chunk.ids) for chunk in chunks)
    end = program.stream.separator
    assert any(end in chunk.ids[1:-1] for chunk in chunks)
    if task.family != "encoder":
        return
    assert all(
        (item.labels[1:-1][chunk.ids == end] == IGNORED).all() for chunk, item in zip(chunks, items, strict=True)
    )
    row = next(item for item, chunk in zip(items, chunks, strict=True) if end in chunk.ids[3:-3])
    cut = int(np.flatnonzero(row.inputs == end)[0])
    second = replace(row, inputs=row.inputs[cut:], labels=row.labels[cut:])
    (whole,), (part,) = logits_of(program, [row]), logits_of(program, [second])
    assert not whole[cut:].allclose(part, atol=1e-2)


def test_what_cannot_be_is_said(task: Any) -> None:
    from dataclasses import replace

    from discobench.pretrain.program import Pretraining, plan_of

    with pytest.raises(DiscoError, match="pretraining counts steps"):
        plan_of(TRAINING | {"steps": None}, 1, "fp32")
    with pytest.raises(DiscoError, match="max_length is 9999"):
        Pretraining(replace(task, training=TRAINING | {"max_length": 9999}), 1)
    assert np.isfinite(Pretraining(task, 1).padding())


def test_padding_of_packed_streams_is_below_two_percent(task: Any, tmp_path: Path) -> None:
    """Documents of all lengths up to three rows, in batches of a quarter of the sequences of Table 15's."""
    from dataclasses import replace

    from discobench.pretrain.program import Pretraining

    rng = np.random.default_rng(3)
    known = Pretraining(task, 1)
    ordinary = sorted({token for part in known.stream.tokens.parts for token in part.tolist()})
    documents = [rng.choice(ordinary, size).tolist() for size in rng.integers(3, 1400, 400)]
    splits = {"train": (documents, [0] * 400), "valid": ([], [])}
    manifest = write_packed(tmp_path, splits, ["z", "e"], word=2)
    training = TRAINING | {"max_length": 500, "batch_size": 1024}
    for mixed in (False, True):
        assert Pretraining(replace(task, packed=manifest, training=training, mixed=mixed), 1).padding() < 0.02
