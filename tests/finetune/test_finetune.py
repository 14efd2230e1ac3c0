"""What fine-tuning promises: toy tasks are learned, seeds repeat, a folder decodes again."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests import toys

pytestmark = [pytest.mark.torch, pytest.mark.slow]
HEADS = {"t5": 4}
"""T5 has no absolute positions: what to copy next it finds by what is beside it, for which two heads are too few."""
RECIPES = {"t5": {"learning_rate": 3e-3, "batch_size": 32, "warmup": 100}}
STEPS = {"span": 250, "gaps": 200, "choice": 150, "text": 500}
CASES = [
    *[(family, form, STEPS[form]) for family in ("encoder", "bart") for form in ("span", "gaps", "choice")],
    *[(family, "text", STEPS["text"]) for family in ("encoder", "bart", "mbart")],
    ("gpt2", "text", 900),
    ("t5", "text", 1500),
]


def run(family: str, formulation: str, root: Path, steps: int, seed: int = 1) -> tuple[Any, dict[str, Any]]:
    import torch

    from discobench.finetune.run import Run, finetune
    from discobench.models import family as find

    base = toys.checkpoint(family, root / "base", heads=HEADS.get(family, 2))
    state = root / f"state-{seed}"
    state.mkdir()
    training = toys.TRAINING | {"steps": steps} | RECIPES.get(family, {})
    plan = Run(
        find(family),
        base,
        toys.settings(formulation),
        training,
        seed,
        "fp32",
        torch.device("cpu"),
        state,
        root / f"out-{seed}",
    )
    facts = finetune(plan, toys.examples(formulation, 5000, 1), toys.examples(formulation, 30, 2))
    return plan, facts


def answers(plan: Any, facts: dict[str, Any], formulation: str) -> list[tuple[Any, Any]]:
    import torch

    from discobench.models.base import Decoding
    from discobench.models.finetuned import fine_tuned

    test = toys.examples(formulation, 50, 3)
    answering = fine_tuned(plan.family, plan.out, facts, torch.device("cpu"))
    found = answering.predict(test, Decoding(beam=2, max_new_tokens=10))
    return [(prediction.value, toys.gold(example)) for prediction, example in zip(found, test, strict=True)]


@pytest.mark.parametrize(("family", "formulation", "steps"), CASES)
def test_a_toy_task_is_learned(family: str, formulation: str, steps: int, tmp_path: Path) -> None:
    plan, facts = run(family, formulation, tmp_path, steps)
    assert [pair for pair in answers(plan, facts, formulation) if pair[0] != pair[1]] == []


def test_seeds_repeat_and_differ(tmp_path: Path) -> None:
    weights = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        plan, _ = run("encoder", "gaps", tmp_path / name, steps=12, seed=seed)
        weights.append([(plan.out / file).read_bytes() for file in ("model.safetensors", "head.safetensors")])
    assert weights[0] == weights[1] != weights[2]


def test_what_a_family_cannot_learn_is_said(tmp_path: Path) -> None:
    from discobench.errors import DiscoError

    with pytest.raises(DiscoError, match=r"gpt2.*span"):
        run("gpt2", "span", tmp_path, steps=1)


def test_facts_hold_no_targets(tmp_path: Path) -> None:
    _, facts = run("encoder", "text", tmp_path, steps=2)
    assert "targets" not in facts["settings"]["options"]


@pytest.mark.parametrize(("family", "expected"), [("encoder", [2, 3]), ("bart", [1, 1])])
def test_training_targets_are_read_where_a_vocabulary_is_learned(
    family: str, expected: list[int], tmp_path: Path
) -> None:
    """Beside the first encoding: 2.2 million are not gone through again for every start."""
    from discobench.finetune.run import finetune

    class Counted(list[Any]):
        read = 0

        def __iter__(self) -> Any:
            self.read += 1
            return super().__iter__()

    plan, _ = run(family, "text", tmp_path, steps=1)
    shutil.rmtree(plan.state)
    plan.state.mkdir()
    train, found = Counted(toys.examples("text", 8, 1)), []
    for _ in range(2):
        finetune(plan, train, [])
        found.append(train.read)
    assert found == expected
