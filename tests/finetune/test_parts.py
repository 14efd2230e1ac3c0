"""Parts of a batch: their weighted losses add up to the loss of the whole, so that processes can share it."""

from pathlib import Path

import pytest

from tests import toys

pytestmark = [pytest.mark.torch, pytest.mark.slow]


@pytest.mark.parametrize("formulation", ["span", "gaps", "choice", "text"])
def test_parts_add_up(formulation: str, tmp_path: Path) -> None:
    from dataclasses import replace

    import torch

    from discobench.finetune.program import FineTuning
    from discobench.models import family

    wanted = replace(toys.settings(formulation), options={"empty_weight": 0.3})
    examples = toys.examples(formulation, 7, 1)
    options = {"targets": [e.target for e in examples]} if formulation == "text" else {}
    wanted = replace(wanted, options=wanted.options | options)
    learner = family("encoder").learner(toys.checkpoint("encoder", tmp_path), wanted, 1)
    learner.model.eval()
    program = FineTuning(learner, examples, [], toys.TRAINING | {"steps": 1, "batch_size": 7}, 1)
    batch = program.batch(0)
    (whole,), parts = program.parts(batch), program.parts(batch, 3)
    assert whole.weight == 1 and whole.batch == batch and len(parts) == 3
    assert sum(part.tokens for part in parts) == whole.tokens > 0
    with torch.no_grad():
        found = sum(float(program.loss(part.batch)) * part.weight for part in parts)
        assert found == pytest.approx(float(program.loss(batch)), rel=1e-4)


@pytest.mark.parametrize(("family", "formulation"), [("encoder", "span"), ("encoder", "gaps"), ("gpt2", "text")])
def test_a_batch_cut_for_memory_has_the_gradient_of_the_whole(family: str, formulation: str, tmp_path: Path) -> None:
    import torch

    from discobench.finetune.program import FineTuning

    learner = toys.learner(family, formulation, tmp_path)
    examples = toys.examples(formulation, 9, 1)
    learner.model.eval()
    found = []
    for part_tokens in (None, 60, 1):
        training = toys.TRAINING | {"steps": 1, "batch_size": 9, "part_tokens": part_tokens}
        program = FineTuning(learner, examples, [], training, 1)
        parts = program.parts(program.batch(0))
        assert all(part_tokens is None or len(p.batch) == 1 or p.tokens <= part_tokens for p in parts)
        learner.model.zero_grad()
        for part in parts:
            (program.loss(part.batch) * part.weight).backward()
        gradients = [p.grad.flatten() for p in learner.model.parameters() if p.grad is not None]
        found.append((len(parts), torch.cat(gradients)))
    assert found[0][0] == 1 < found[1][0] < found[2][0] == 9
    assert float(found[0][1].abs().max()) > 1e-3
    for _, gradient in found[1:]:
        torch.testing.assert_close(gradient, found[0][1], rtol=1e-3, atol=1e-5)
