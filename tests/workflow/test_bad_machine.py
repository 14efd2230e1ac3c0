"""A full disk, a folder that may not be written, a second process: through the real command."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT, environment
from tests.workflow.bad import BUILD, SCORES, Run

pytestmark = pytest.mark.slow

NAMESPACE = ("unshare", "--map-root-user", "--mount")
MAY_MOUNT = subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
mounts = pytest.mark.skipif(not MAY_MOUNT, reason="this user may not mount, not even in a namespace of its own")


def before(commands: str) -> tuple[str, ...]:
    """The program in mounts of its own, which are gone afterwards, once ``commands`` have been run."""
    return (*NAMESPACE, "bash", "-euc", f'{commands}; exec snakemake "$@"', "bash")


@mounts
def test_a_full_disk(repository: Path):
    """All in one mount: the failure, what it leaves, and the same command once there is room."""
    run = Run(repository, "full", SCORES)
    run.results.mkdir(parents=True)
    script = (
        f'mount -t tmpfs -o size=16k none {run.results}; if snakemake "$@"; then exit 3; fi;'
        f"find {run.results} -type f -printf 'left: %p\\n'; mount -o remount,size=10m {run.results}; exec snakemake"
    )
    ran = run.go(program=(*NAMESPACE, "bash", "-euc", f'{script} "$@"', "bash"))
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "cannot be written (No space left on device); make room on that disk and give the same" in ran.stdout
    assert "results/full/tasks/te/" in ran.stdout and "Traceback" not in ran.stdout
    assert "left: " not in ran.stdout


@mounts
def test_a_full_disk_of_logs(repository: Path):
    run = Run(repository, "logs", BUILD)
    logs = repository / "logs/logs"
    logs.mkdir(parents=True)
    full = f"mount -t tmpfs -o size=4k none {logs}; head -c 9999 /dev/zero >{logs}/filler || true"
    run.fails("logs/logs/tasks/te/build.job.json cannot be written (No space left on device)", program=before(full))
    assert run.files() == set()
    run.succeeds()


def test_a_limit_on_the_size_of_files(repository: Path):
    """Below the limit of 24 kB are the files that Snakemake makes of rules."""
    run = Run(repository, "limit", BUILD.replace("te", "mrc"), {"run": {"tasks": ["mrc"]}})
    program = ("bash", "-c", 'ulimit -f 24; exec snakemake "$@"', "bash")
    run.fails("results/limit/tasks/mrc/train.parquet cannot be written (File too large)", "ulimit -f", program=program)
    assert run.files() == set()
    run.succeeds()


@mounts
@pytest.mark.parametrize("folder", ["results/{}", "results", "logs", ".snakemake"])
def test_a_folder_that_is_read_only(repository: Path, folder: str):
    run = Run(repository, f"read-only-{folder.strip('.').split('/')[-1]}".replace("{}", "own"), BUILD)
    place = repository / folder.format(run.name)
    place.mkdir(parents=True, exist_ok=True)
    read_only = f"mount --bind {place} {place}; mount -o remount,bind,ro {place}"
    said = run.fails("cannot be written (Read-only file system); make it writable", program=before(read_only))
    assert folder.format(run.name) in said and "another folder" in said
    assert run.files() == set()
    run.succeeds()


@pytest.mark.parametrize("hinder", [lambda p: p.write_text("", "utf-8"), lambda p: p.symlink_to("nowhere")])
def test_something_in_the_place_of_the_results(repository: Path, hinder):
    run = Run(repository, "place", BUILD)
    run.results.parent.mkdir(exist_ok=True)
    hinder(run.results)
    run.fails("results/place cannot be written")
    run.results.unlink()
    run.succeeds()
    shutil.rmtree(run.results)


def test_two_processes_at_once(repository: Path, tmp_path: Path):
    """A pipe in the place of a file holds the first command until the second has been refused."""
    data = tmp_path / "te"
    shutil.copytree(ROOT / "resources/demo/mini/te", data)
    records = (data / "valid.jsonl").read_bytes()
    (data / "valid.jsonl").unlink()
    os.mkfifo(data / "valid.jsonl")
    run = Run(repository, "two", BUILD, {"tasks": {"te": {"files": [{"path": str(data)}]}}})
    with subprocess.Popen(["snakemake", *run.arguments()], cwd=repository, env=environment()) as running:
        wait_for(repository / "logs/two/tasks/te/build.log")
        run.fails("Directory cannot be locked", "no other Snakemake process")
        assert "--unlock" in run.fails("can be removed with")
        (data / "valid.jsonl").write_bytes(records)
        assert running.wait(timeout=60) == 0
    run.succeeds()


def wait_for(path: Path) -> None:
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not appear"
        time.sleep(0.05)


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C", "LANG": "C"},
        {"HOME": "", "TMPDIR": "/no/such/folder"},
        {"SHELL": "/bin/false", "XDG_CACHE_HOME": "/tmp"},
    ],
    ids=lambda variables: "-".join(variables),
)
def test_an_odd_environment(repository: Path, tmp_path: Path, variables: dict[str, str], request):
    data = tmp_path / "数据 of mine"
    shutil.copytree(ROOT / "resources/demo/mini/te", data)
    run = Run(
        repository,
        request.node.callspec.id.lower(),
        BUILD,
        {"tasks": {"te": {"files": [{"path": str(data)}]}}},
        variables,
    )
    run.succeeds()


@pytest.mark.parametrize(
    ("program", "lacks"),
    [
        ('SLURM_MEM_PER_NODE=50 exec snakemake "$@"', "MB of memory and has 52"),
        (f'exec taskset -c {min(os.sched_getaffinity(0))} snakemake --set-threads build=2 "$@"', "2 cores and has 1"),
    ],
)
def test_a_job_that_a_cluster_gives_too_little_says_so_before_it_begins(repository: Path, program: str, lacks: str):
    """A cluster is known by the number of its job; what it gives, by affinity and by what it says of memory."""
    run = Run(repository, f"little-{len(lacks)}", BUILD, variables={"SLURM_JOB_ID": "1"})
    run.fails("build asked for", lacks, program=("bash", "-c", program, "bash"))
    assert run.files() == set()
