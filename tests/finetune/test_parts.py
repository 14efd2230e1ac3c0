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
