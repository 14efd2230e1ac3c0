"""What goes wrong on a cluster, on a real one: the same command ends with the bytes of a run that nobody disturbed."""

import base64
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

from discobench.files import read_json, read_text, sha256, write_json, write_text
from discobench.operations import queue, tries
from discobench.owners import this_process
from tests.conftest import copy_of, copy_of_repository, snakemake
from tests.workflow.cluster import Cluster

pytestmark = [pytest.mark.slurm, pytest.mark.slow, pytest.mark.torch]

TASKS = ("si", "zpr", "mrc", "nt", "te")
MODEL = "results/mini/models/bart-large-zh/model.json"
BUILT = "results/mini/tasks/{task}/build.balance.json"
TRAINED = "results/mini/finetune/{task}/bart-large/seed-1/model.json"
SECONDS = 300
MEMORY_MB = 2000  # of a training

# The first submission of a build fails, as it does where Slurm's daemon is busy.
FAILING = """echo "$*" | grep -q rule_build && mv "$hook" "$hook.was" 2>/dev/null || exec /usr/bin/sbatch "$@"
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


# What Python reads as it starts. The first training of NT takes ever more memory once it has a checkpoint; it keeps
# Python's lock meanwhile, so that it comes to no end before it is killed.
LEAK = """
import ctypes, json, os, pathlib, sys, threading, time

def own(pattern):
    owners = {path.parent: json.loads(path.read_bytes() or b"{}") for path in pathlib.Path().glob(pattern)}
    return next((place for place, owner in owners.items() if owner.get("process") == os.getpid()), None)

def leak():
    while not (state := own("results/mini/state/finetune/*/owner.json")) or not [*state.glob("step-*")]:
        time.sleep(0.01)
    begun = json.loads(pathlib.Path("logs/mini/finetune/nt/bart-large/seed-1/finetune.begun.json").read_bytes())
    if begun["owner"]["process"] == os.getpid() and not pathlib.Path("leaked").exists():
        pathlib.Path("leaked").touch()
        held = [b"x" * 100_000_000 for _ in range(25)]
        ctypes.PyDLL(None).sleep(30)

if any(part.endswith("finetune.py") for part in sys.orig_argv):
    threading.Thread(target=leak, daemon=True).start()
"""


def ask(root: Path, **rules: tuple[int, int]) -> None:
    """Have jobs of rules ask for so much memory (MB) and time (minutes)."""
    path = root / "resources/jobs.yaml"
    changes = {rule: {"mem_mb": memory, "runtime": runtime} for rule, (memory, runtime) in rules.items()}
    write_text(path, yaml.safe_dump(yaml.safe_load(read_text(path)) | changes))


def begin(cluster: Cluster, root: Path, *wanted: str, options: Sequence[str] = ()) -> subprocess.Popen[str]:
    """The command, in a process group of its own; what it says goes to ``said.txt``."""
    arguments = ["snakemake", *cluster.arguments(*options, "--config", "preset=mini", "--", *wanted)]
    with (root / "said.txt").open("w", encoding="utf-8") as said:
        return subprocess.Popen(
            arguments,
            cwd=root,
            env=os.environ | cluster.variables,
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
    """Digests of the files that a job made; the card is written when all are there."""
    return {path.name: sha256(path) for path in folder.iterdir() if path.is_file() and path.name != "card.md"}


@pytest.fixture(scope="module")
def slow(
    cluster: Cluster, mini_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.Popen[str]]:
    """A run whose training is stopped in its middle, and goes on when Slurm's wall-time limit is there: begun only."""
    root = cluster.describe(copy_of(mini_root, tmp_path_factory.mktemp("wall") / "repository", "said.txt"))
    targets = [TRAINED.format(task=task) for task in ("zpr", "nt")]
    for target in targets:
        shutil.rmtree((root / target).parent)
    ask(root, finetune=(MEMORY_MB, 1))
    write_text(root / "sitecustomize.py", LEAK)
    # Not among the nodes of which one is taken down meanwhile.
    running = begin(cluster, root, *targets, options=["--set-resources", "finetune:slurm_partition=gpu"])
    stop_training(cluster, root, "zpr")
    return root, running


def stop_training(cluster: Cluster, root: Path, task: str) -> None:
    """Stop the process that trains for a task, not for good, once it has a checkpoint."""

    def state() -> Path | None:
        last = tries.read(log_of(root, task))
        places = root.glob("results/mini/state/finetune/*/owner.json")
        return next((p.parent for p in places if last and read_json(p)["process"] == last.owner.process), None)

    cluster.wait_for("a checkpoint", lambda: bool((there := state()) and [*there.glob("step-*")]), SECONDS)
    os.kill(tries.read(log_of(root, task)).owner.process, signal.SIGSTOP)


def log_of(root: Path, task: str) -> Path:
    return root / f"logs/mini/finetune/{task}/bart-large/seed-1/finetune.log"


def asked(said: str, task: str) -> list[tuple[str, str]]:
    """Memory and minutes of the jobs of a training, each once: one that fails says it again."""
    told = re.findall(r"^rule finetune:\n((?:    .*\n)+)", said, re.MULTILINE)
    own = [part for part in told if re.search(rf"\btask={task}\b", part)]
    lines = [line for part in own for line in re.findall(r"^    resources: (.*)", part, re.MULTILINE)]
    found = [tuple(re.search(rf"\b{name}=(\d+)", line)[1] for name in ("mem_mb", "runtime")) for line in lines]
    return list(dict.fromkeys(found))


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
    refused, late = cluster.hook("sbatch", FAILING), cluster.hook("srun", LATE.format(file=file))
    running = begin(cluster, root, MODEL)
    cluster("scancel", cluster.job("build_wildcards_si"))
    node = cluster("squeue", "-h", "-o", "%N", "-j", cluster.job("build_wildcards_zpr"))
    cluster("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
    time.sleep(1)
    with suppress(subprocess.CalledProcessError):  # it may have come back by itself
        cluster("scontrol", "update", f"nodename={node}", "state=resume")
    cluster.wait_for("an output to be hidden", late.exists, SECONDS)
    # Snakemake within the job looks first; its log goes when the job has ended well.
    logs, missed = "logs/slurm/rule_build/mrc/*.log", re.compile(r"Waiting at most .*\n.*/mrc/build\.balance\.json")
    cluster.wait_for("it to be missed", lambda: any(missed.search(read_text(log)) for log in root.glob(logs)), SECONDS)
    file.with_name(f"{file.name}.late").rename(file)
    said = finish(running, root)
    assert refused.exists()
    return said


@pytest.mark.parametrize("task", TASKS)
def test_the_same_records_whatever_happened_to_their_job(root: Path, said: str, mini_root: Path, task: str):
    folder = Path(BUILT.format(task=task)).parent
    assert contents(root / folder) == contents(mini_root / folder)


@pytest.mark.parametrize(
    ("what", "task"),
    [("SLURM status is: 'CANCELLED'", "si"), ("node failure", "zpr"), ("Socket timed out", r"\w+")],
    ids=["scancel", "node", "sbatch"],
)
def test_a_job_that_was_lost_is_tried_again(said: str, what: str, task: str):
    error = rf"{what}(?:.*\n)*?    jobid: (\d+)\n(?:    input: .*\n)?    output: results/mini/tasks/{task}/"
    number = re.search(error, said)[1]
    assert f"Trying to restart job {number}." in said


def test_an_output_that_is_seen_late_is_waited_for(said: str):
    assert "MissingOutputException" not in said


def test_a_job_that_needs_more_memory_gets_it(root: Path, said: str, mini_root: Path):
    asked = [line for line in said.split("\n") if line.startswith("    resources:") and "mem_mb=400," in line]
    assert asked and "mem_mb=800," in said
    assert re.search(rf"exceeded memory limit \(\d+ > {400 * 1024**2}\), being killed", said)
    assert read_json(root / MODEL)["outputs"] == read_json(mini_root / MODEL)["outputs"]


def unlock(cluster: Cluster, root: Path) -> None:
    ran = snakemake(root, *cluster.arguments("--config", "preset=mini", "--unlock"), **cluster.variables)
    assert ran.returncode == 0, ran.stdout


def test_interrupted_the_same_command_goes_on(cluster: Cluster, root: Path, said: str, mini_root: Path):
    target = BUILT.format(task="nt")
    shutil.rmtree((root / target).parent, ignore_errors=True)
    running = begin(cluster, root, target)
    number = cluster.job("build")
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=SECONDS) != 0
    cluster.wait_for("the job to be cancelled", lambda: number in cluster.jobs("build", "CANCELLED"))
    finish(begin(cluster, root, target), root)
    assert contents((root / target).parent) == contents((mini_root / target).parent)


def test_from_another_login_node_the_jobs_of_a_command_are_named(
    cluster: Cluster, root: Path, said: str, mini_root: Path
):
    target = BUILT.format(task="nt")
    shutil.rmtree((root / target).parent, ignore_errors=True)
    comments = ("rule_other", "rule_build_wildcards_nt")  # the one waits, by its mark; the other starts
    numbers = [stranger(cluster, root, "login9.example.org", comment) for comment in comments]
    mark = root / ".snakemake/incomplete" / base64.urlsafe_b64encode(target.encode()).decode()
    write_json(mark, {"external_jobid": numbers[0]})  # as Snakemake notes what it has submitted
    assert begin(cluster, root, target).wait(timeout=SECONDS) != 0
    assert f"jobs {' '.join(numbers)} of this folder belong to a command on another" in read_text(root / "said.txt")
    cluster("scancel", *numbers)
    cluster.wait_for("them to be gone", lambda: not cluster("squeue", "-h", "-j", ",".join(numbers)))
    finish(begin(cluster, root, target), root)
    assert contents((root / target).parent) == contents((mini_root / target).parent)


def stranger(cluster: Cluster, root: Path, host: str, comment: str) -> str:
    """The number of a job that a command on ``host`` submitted which is not there any more."""
    name = f"disco_{queue.code(host)}_9999999_1_1b4e28ba-2fa1-11d2-883f-0016d3cca427"
    told = ("-J", name, "--comment", comment, "-D", f"{root}", "-o", "/dev/null")
    return cluster("sbatch", "--parsable", "-p", "cpu", "--mem=100", *told, "--wrap", "sleep 300")


def test_killed_while_a_job_trains_the_same_command_ends_that_and_goes_on(
    cluster: Cluster, root: Path, said: str, mini_root: Path
):
    def finetune() -> list[str]:
        """Done, running, waiting and missing, as `status` counts them."""
        told = cluster.run(root, "--config", "preset=mini", "--", "status").stdout
        return [cell.strip() for cell in re.search(r"\| finetune (.*)\|\n", told)[1].split("|")[1:5]]

    target = TRAINED.format(task="si")
    running = begin(cluster, root, target)
    stop_training(cluster, root, "si")
    assert finetune() == ["0", "1", "0", "4"]
    running.kill()
    running.wait(timeout=SECONDS)
    (left,) = cluster.jobs("finetune_wildcards_si")
    assert finetune() == ["0", "1", "0", "4"]  # it is stopped, and Slurm has it still
    unlock(cluster, root)
    other = stranger(cluster, root, this_process().host, "rule_other")
    again = finish(begin(cluster, root, target), root)
    assert re.search(rf"The command is gone that began {left} \(rule_finetune_\S+\): they end", again)
    assert f"Nothing says what jobs {other} (rule_other) of this folder make: they are left alone." in again
    assert cluster("squeue", "-h", "-o", "%T", "-j", other) == "RUNNING"
    cluster("scancel", other)
    assert "continuing from step" in read_text(log_of(root, "si"))
    assert read_json(root / target)["outputs"] == read_json(mini_root / target)["outputs"]


@pytest.fixture(scope="module")
def ended(slow: tuple[Path, subprocess.Popen[str]], said: str) -> tuple[Path, str]:
    """What the run said whose trainings met a limit each: zpr that of time, nt that of memory."""
    root, running = slow
    return root, finish(running, root)


def test_training_that_meets_the_wall_time_limit_goes_on_in_the_next_job(ended: tuple[Path, str], mini_root: Path):
    root, said = ended
    # A training that ends by itself once it is told of the limit may be FAILED before it is TIMEOUT.
    assert re.search(r"SLURM status is: '(TIMEOUT|FAILED)'", said)
    assert "continuing from step" in read_text(log_of(root, "zpr"))
    assert asked(said, "zpr")[:2] == [(f"{MEMORY_MB}", "1"), (f"{MEMORY_MB}", "2")]
    target = TRAINED.format(task="zpr")
    assert read_json(root / target)["outputs"] == read_json(mini_root / target)["outputs"]


def test_training_that_is_killed_for_its_memory_goes_on_with_more(ended: tuple[Path, str], mini_root: Path):
    root, said = ended
    assert re.search(r"exceeded memory limit \(\d+ > \d+\), being killed", said)
    memory = [memory for memory, _ in asked(said, "nt")]
    assert list(dict.fromkeys(memory)) == [f"{MEMORY_MB}", f"{2 * MEMORY_MB}"]
    assert "continuing from step" in read_text(log_of(root, "nt"))
    target = TRAINED.format(task="nt")
    assert read_json(root / target)["outputs"] == read_json(mini_root / target)["outputs"]
