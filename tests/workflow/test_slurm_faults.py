"""What goes wrong on a cluster, on a real one: the same command ends with the bytes of a run that nobody disturbed."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from discobench.files import read_json, read_text, sha256, write_text
from tests.conftest import copy_of, copy_of_repository, snakemake
from tests.workflow.cluster import Cluster

pytestmark = [pytest.mark.slurm, pytest.mark.slow, pytest.mark.torch]

TASKS = ("si", "zpr", "mrc", "nt", "te")
MODEL = "results/mini/models/bart-large-zh/model.json"
BUILT = "results/mini/tasks/{task}/build.balance.json"
TRAINED = "results/mini/finetune/zpr/bart-large/seed-1/model.json"
SECONDS = 300
HIDDEN = 6  # seconds that a file is not to be seen after its job ended

# The first submission fails, as it does where Slurm's daemon is busy.
FAILING = """mv "$hook" "$hook.was" 2>/dev/null || exec /usr/bin/sbatch "$@"
echo "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation" >&2
exit 1
"""
# What the job for MRC wrote is taken away when it has ended: a shared disk that shows it late.
LATE = """case "$*" in *build:task=mrc*)
    /usr/bin/srun "$@" || exit
    mv "$hook" "$hook.was"
    mv {file} {file}.late
    exit 0
esac
"""


def hook(cluster: Cluster, client: str, text: str) -> Path:
    """Have ``text`` run before a client of Slurm, which is what it then does."""
    path = cluster.root / "hooks" / client
    write_text(path, text)
    path.chmod(0o755)
    return path.with_name(f"{client}.was")


def ask(root: Path, **rules: tuple[int, int]) -> None:
    """Have jobs of rules ask for so much memory (MB) and time (minutes)."""
    path = root / "resources/jobs.yaml"
    changes = {rule: {"mem_mb": memory, "runtime": runtime} for rule, (memory, runtime) in rules.items()}
    write_text(path, yaml.safe_dump(yaml.safe_load(read_text(path)) | changes))


def begin(cluster: Cluster, root: Path, *wanted: str, options: Sequence[str] = ()) -> subprocess.Popen[str]:
    """The command, in a process group of its own; what it says goes to ``said.txt``."""
    arguments = ["snakemake", *cluster.arguments(*options, "--config", "preset=mini", "--", *wanted)]
    with (root / "said.txt").open("w", encoding="utf-8") as said:
        variables = os.environ | cluster.variables
        return subprocess.Popen(
            arguments,
            cwd=root,
            env=variables,
            stdout=said,
            stderr=said,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in what a shell runs with &
        )


def finish(running: subprocess.Popen[str], root: Path) -> str:
    """What the command said once it is done, which it must be without a fault."""
    running.wait(timeout=SECONDS)
    said = read_text(root / "said.txt")
    assert running.returncode == 0, said[-6000:]
    return said


def contents(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path) for path in folder.iterdir() if path.is_file()}


@pytest.fixture(scope="module")
def slow(
    cluster: Cluster, mini_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.Popen[str]]:
    """A run whose training is stopped in its middle, and goes on when Slurm's wall-time limit is there: begun only."""
    root = cluster.describe(copy_of(mini_root, tmp_path_factory.mktemp("wall") / "repository", "said.txt"))
    shutil.rmtree(root / TRAINED.removesuffix("/model.json"))
    ask(root, finetune=(3000, 1))
    # Not among the nodes of which one is taken down meanwhile.
    running = begin(cluster, root, TRAINED, options=["--set-resources", "finetune:slurm_partition=gpu"])
    cluster.wait_for("a checkpoint", lambda: bool(list(root.glob("results/mini/state/finetune/*/step-*"))), SECONDS)
    os.kill(trainer(root), signal.SIGSTOP)
    return root, running


def trainer(root: Path) -> int:
    """The process that trains in ``root``."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if any(part.startswith(str(root)) and part.endswith("finetune.py") for part in command):
            return int(entry.name)
    raise AssertionError("nobody trains")


@pytest.fixture(scope="module")
def root(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh copy in which one model is to be made from the records of five tasks, its job with too little memory."""
    root = cluster.describe(copy_of_repository(tmp_path_factory.mktemp("faults") / "repository"))
    ask(root, initialise=(400, 240), build=(1000, 120))
    return root


@pytest.fixture(scope="module")
def said(cluster: Cluster, root: Path, slow: object) -> str:
    """What the run said of which five jobs were disturbed."""
    file = root / BUILT.format(task="mrc")
    refused, late = hook(cluster, "sbatch", FAILING), hook(cluster, "srun", LATE.format(file=file))
    running = begin(cluster, root, MODEL)
    cluster("scancel", cluster.job("build_wildcards_si"))
    node = cluster("squeue", "-h", "-o", "%N", "-j", cluster.job("build_wildcards_zpr"))
    cluster("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
    time.sleep(1)
    with suppress(subprocess.CalledProcessError):  # it may have come back by itself
        cluster("scontrol", "update", f"nodename={node}", "state=resume")
    cluster.wait_for("an output to be hidden", late.exists, SECONDS)
    time.sleep(HIDDEN)
    file.with_name(f"{file.name}.late").rename(file)
    said = finish(running, root)
    assert refused.exists()
    return said


@pytest.mark.parametrize("task", TASKS)
def test_the_same_records_whatever_happened_to_their_job(root: Path, said: str, mini_root: Path, task: str):
    folder = Path(BUILT.format(task=task)).parent
    assert contents(root / folder) == {k: v for k, v in contents(mini_root / folder).items() if k != "card.md"}


@pytest.mark.parametrize(
    "what", ["SLURM status is: 'CANCELLED'", "node failure", "Socket timed out"], ids=["scancel", "node", "sbatch"]
)
def test_a_job_that_was_lost_is_tried_again(said: str, what: str):
    assert what in said
    assert "Trying to restart job" in said


def test_a_job_that_needs_more_memory_gets_it(root: Path, said: str, mini_root: Path):
    asked = [line for line in said.split("\n") if line.startswith("    resources:") and "mem_mb=400," in line]
    assert asked and "mem_mb=800," in said
    assert read_json(root / MODEL)["outputs"] == read_json(mini_root / MODEL)["outputs"]


def test_interrupted_and_killed_the_same_command_goes_on(cluster: Cluster, root: Path, mini_root: Path):
    target = BUILT.format(task="nt")
    shutil.rmtree((root / target).parent, ignore_errors=True)
    running = begin(cluster, root, target)
    cluster.job("build")
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=SECONDS) != 0
    cluster.wait_for("the job to be cancelled", lambda: not cluster.jobs("build"))
    running = begin(cluster, root, target)
    cluster.job("build")
    running.kill()
    running.wait(timeout=SECONDS)
    assert (
        snakemake(root, *cluster.arguments("--config", "preset=mini", "--unlock"), **cluster.variables).returncode == 0
    )
    finish(begin(cluster, root, target), root)
    assert contents((root / target).parent) == {
        k: v for k, v in contents((mini_root / target).parent).items() if k != "card.md"
    }


def test_training_that_meets_the_wall_time_limit_goes_on_in_the_next_job(
    slow: tuple[Path, subprocess.Popen[str]], mini_root: Path
):
    root, running = slow
    said = finish(running, root)
    # A training that ends by itself once it is told of the limit may be FAILED before it is TIMEOUT.
    assert re.search(r"SLURM status is: '(TIMEOUT|FAILED)'", said)
    log = read_text(root / "logs/mini/finetune/zpr/bart-large/seed-1/finetune.log")
    assert "continuing from step" in log
    assert {"1", "2"} <= set(re.findall(r"runtime=(\d+)", said))
    assert "mem_mb=3000," in said and "mem_mb=6000," not in said
    assert read_json(root / TRAINED)["outputs"] == read_json(mini_root / TRAINED)["outputs"]
