"""Training survives: however a job ends too early, the same command ends with the same weights."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from discobench.files import read_json
from tests.conftest import environment, snakemake

pytestmark = [pytest.mark.slow, pytest.mark.torch]

MODEL = "results/mini/finetune/zpr/bart-large/seed-1/model.json"
CHANGES = {"finetune": {"tasks": {"zpr": {"steps": 150, "save_every": 5}}}}
ARGUMENTS = ["--profile", "profiles/demo", "--config", "preset=mini", "--configfile", "mine.yaml", "--", MODEL]
JOB = "finetune.py"
LOG = "logs/mini/finetune/zpr/bart-large/seed-1/finetune.log"
SECONDS = 120.0


@pytest.fixture(scope="module")
def root(mini_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run whose longer training of ZPR has not begun."""
    copy = tmp_path_factory.mktemp("survival") / "repository"
    shutil.copytree(mini_root, copy, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "incomplete", "locks"))
    (copy / "mine.yaml").write_text(yaml.safe_dump(CHANGES), "utf-8")
    return copy


@pytest.fixture(scope="module")
def undisturbed(root: Path) -> str:
    """The sha256 of the weights of a run that nobody disturbs."""
    assert snakemake(root, *ARGUMENTS, timeout=300).returncode == 0
    return weights(root)


def weights(root: Path) -> str:
    digest: str = read_json(root / MODEL)["outputs"]["model.safetensors"]
    return digest


def started(root: Path) -> subprocess.Popen[bytes]:
    """The command in a process group of its own, over a state in which no step is done."""
    shutil.rmtree(root / "results/mini/state/finetune", ignore_errors=True)
    (root / MODEL).unlink(missing_ok=True)
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        ["snakemake", *ARGUMENTS], cwd=root, env=environment(), stdout=quiet, stderr=quiet, start_new_session=True
    )


def wait_for_a_checkpoint(root: Path) -> None:
    end = time.monotonic() + SECONDS
    while not list(root.glob("results/mini/state/finetune/*/step-*")):
        assert time.monotonic() < end, "no checkpoint appeared"
        time.sleep(0.02)


def trainer(root: Path) -> int:
    """The process that trains in ``root``."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if any(part.startswith(str(root)) and part.endswith(JOB) for part in command):
            return int(entry.name)
    raise AssertionError("nobody trains")


def finetuning(root: Path) -> tuple[list[str], str]:
    """Done, running, waiting, missing and unknown, as `status` counts them, and what it says below."""
    asked = snakemake(root, *ARGUMENTS[:-2], "--", "status")
    assert asked.returncode == 0, asked.stdout
    line, rest = re.search(r"\| finetune +\|(.*)\|\n(.*)", asked.stdout, re.DOTALL).groups()
    return [cell.strip() for cell in line.split("|\n")[0].split("|")], rest


def test_status_tells_a_training_that_runs_from_one_that_was_killed(root: Path, undisturbed: str) -> None:
    running = started(root)
    wait_for_a_checkpoint(root)
    os.kill(trainer(root), signal.SIGSTOP)  # it may not end meanwhile
    counts, below = finetuning(root)
    assert counts == ["4", "1", "0", "0", "0"] and f"\n{LOG}: " in below
    os.killpg(running.pid, signal.SIGKILL)
    running.wait(timeout=SECONDS)
    counts, below = finetuning(root)
    assert counts == ["4", "0", "0", "1", "0"] and f"stopped before its end: {LOG}: " in below
    assert snakemake(root, *ARGUMENTS[:-2], "--unlock").returncode == 0


def everything(running: subprocess.Popen[bytes], root: Path) -> None:
    os.killpg(running.pid, signal.SIGTERM)


def the_command(running: subprocess.Popen[bytes], root: Path) -> None:
    """Its job is still there, and at work but for the test's sake, when the command is given again."""
    os.kill(trainer(root), signal.SIGSTOP)
    os.kill(running.pid, signal.SIGKILL)


def job_ended(running: subprocess.Popen[bytes], root: Path) -> None:
    os.kill(trainer(root), signal.SIGTERM)


def job_killed(running: subprocess.Popen[bytes], root: Path) -> None:
    os.kill(trainer(root), signal.SIGKILL)


@pytest.mark.parametrize("disturb", [job_ended, job_killed, everything, the_command], ids=lambda f: f.__name__)
def test_a_killed_training_ends_with_the_same_weights(
    root: Path, undisturbed: str, disturb: Callable[[subprocess.Popen[bytes], Path], None]
) -> None:
    running = started(root)
    wait_for_a_checkpoint(root)
    disturb(running, root)
    running.wait(timeout=SECONDS)
    assert not (root / MODEL).exists()
    if disturb in (everything, the_command):
        snakemake(root, *ARGUMENTS[:-2], "--unlock")
    again = snakemake(root, *ARGUMENTS, timeout=300)
    assert again.returncode == 0, again.stdout[-3000:]
    assert disturb != the_command or f"The command is gone that began {LOG}: they end" in again.stdout
    assert "continuing from step" in (root / LOG).read_text("utf-8")
    assert weights(root) == undisturbed
