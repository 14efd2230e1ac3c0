"""Rows whose tasks share a process: the same weights and answers, faults name their task, nothing trains twice."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest
import yaml

from discobench.files import read_json
from tests.conftest import copy_of, snakemake
from tests.workflow.edits import letter
from tests.workflow.plans import counts, plan

pytestmark = [pytest.mark.slow, pytest.mark.torch]

TASKS = ("si", "zpr", "mrc", "nt", "te")
SEED = "bart-large/seed-1"
TARGETS = [f"results/mini/decode/{task}/{SEED}/predictions.jsonl" for task in TASKS]
ARGUMENTS = ["--profile", "profiles/demo", "--config", "preset=mini", "--configfile", "mine.yaml", "--", *TARGETS]
LOG = "logs/mini/finetune/bart-large/seed-1/finetune.log"
TOO_FAST = {"finetune": {"tasks": {"nt": {"learning_rate": 1e30}}}}


def together(root: Path, **changes: dict) -> CompletedProcess[str]:
    (root / "mine.yaml").write_text(yaml.safe_dump({"run": {"together": True}, **changes}), "utf-8")
    return snakemake(root, *ARGUMENTS, timeout=300)


def weights(root: Path) -> dict[str, dict[str, str]]:
    """Task -> sha256 of the files of its model."""
    return {task: read_json(root / f"results/mini/finetune/{task}/{SEED}/model.json")["outputs"] for task in TASKS}


def finished_before(root: Path) -> int:
    """Trainings that the last fine-tuning found finished."""
    return (root / LOG).read_text("utf-8").count("continuing from step 20 of 20")


@pytest.fixture(scope="module")
def failed(mini_root: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CompletedProcess[str]]:
    """A copy in which the row's tasks were trained together up to a fault of the fourth."""
    root = copy_of(mini_root, tmp_path_factory.mktemp("together") / "repository")
    return root, together(root, **TOO_FAST)


@pytest.fixture(scope="module")
def mended(failed: tuple[Path, CompletedProcess[str]]) -> Path:
    """The root after the same command without the fault."""
    root, _ = failed
    ran = together(root)
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert finished_before(root) == TASKS.index("nt")
    return root


def test_a_fault_names_its_task_and_leaves_no_model(failed: tuple[Path, CompletedProcess[str]]):
    root, ran = failed
    assert ran.returncode == 1
    assert "task nt: the loss of step " in ran.stdout and "lower learning_rate" in ran.stdout
    assert not list(root.glob("results/mini/finetune/*/*/*/model.json"))


def test_together_and_apart_give_the_same_weights_and_answers(mini_root: Path, mended: Path):
    assert weights(mended) == weights(mini_root)
    for path in TARGETS:
        assert (mended / path).read_bytes() == (mini_root / path).read_bytes()


def test_one_process_trains_the_row_and_one_decodes_it(mended: Path):
    found = counts(plan(mended, "--forceall", *ARGUMENTS))
    assert found["finetune"] == found["decode"] == 1


def test_an_edit_of_one_task_trains_no_other(mended: Path):
    letter("resources/demo/tasks/nt/test.jsonl", "good friends", "fast friends")(mended)
    before = weights(mended)
    ran = together(mended)
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert finished_before(mended) == len(TASKS) - 1
    assert weights(mended) == before
