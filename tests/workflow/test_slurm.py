"""Preset mini through a real Slurm cluster: jobs land where they belong and end with the bytes of one machine."""

import re
import subprocess
from pathlib import Path

import pytest

from discobench.files import read_json, read_jsonl, read_text, sha256, write_text
from discobench.operations import probe, queue
from discobench.owners import this_process
from tests.conftest import copy_of, copy_of_repository
from tests.decode.toy_server import KEY, Behaviour, completion, row, serving
from tests.workflow.cluster import MEMORY_MB, Cluster

pytestmark = [pytest.mark.slurm, pytest.mark.slow, pytest.mark.torch]

# These nodes have no GPU to compute on, so the configuration keeps to the CPU and jobs are only scheduled with one.
GPU_RULES = ("finetune", "decode", "rank")
TRAINED = "finetune/zpr/bart-large/seed-1"
ASKED = "decode/mrc/toy-chat/seed-1"
ELSEWHERE = {"elsewhere": {}, "gpu": {"max_gpu": 2, "max_mem_mb": MEMORY_MB}}
GIVEN = re.compile(r"given on (\w+): .* GPUs (\S+)")


@pytest.fixture(scope="module")
def root(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a copy in which preset mini is to run on the cluster."""
    return cluster.describe(copy_of_repository(tmp_path_factory.mktemp("slurm") / "repository"))


@pytest.fixture(scope="module")
def ran(cluster: Cluster, root: Path) -> subprocess.CompletedProcess[str]:
    """The run of the whole preset."""
    gpus = [f"{rule}:gpu=1" for rule in GPU_RULES]
    ran = cluster.run(root, "--config", "preset=mini", "--set-resources", *gpus, "--", "all", timeout=900)
    assert ran.returncode == 0, ran.stdout[-6000:]
    return ran


def contents(root: Path) -> dict[str, str]:
    """A digest of every result; benchmarks and trainer states are of a run and not of its results."""
    files = [path for path in (root / "results/mini").rglob("*") if path.is_file()]
    names = {str(path.relative_to(root / "results/mini")): path for path in files}
    return {name: sha256(path) for name, path in names.items() if not name.startswith(("benchmarks", "state"))}


def test_results_are_those_of_one_machine(root: Path, ran: subprocess.CompletedProcess[str], mini_root: Path):
    assert contents(root) == contents(mini_root)


def test_jobs_that_ask_for_a_gpu_run_where_one_is_and_see_it(root: Path, ran: subprocess.CompletedProcess[str]):
    seen = {path: GIVEN.search(path.read_text("utf-8")) for path in (root / "logs/mini").rglob("*.log")}
    assert len(seen) == 24 and all(seen.values())
    for path, given in seen.items():
        node, gpus = given.groups()
        assert (node[0] == "g" and gpus in ("0", "1")) if path.stem in GPU_RULES else (node[0], gpus) == ("c", "none")


def test_no_job_asks_for_more_than_a_partition_has(ran: subprocess.CompletedProcess[str]):
    asked = {int(number) for number in re.findall(r"mem_mb=(\d+)", ran.stdout)}
    assert max(asked) == MEMORY_MB


def test_a_second_run_finds_nothing_to_do(cluster: Cluster, root: Path, ran: subprocess.CompletedProcess[str]):
    again = cluster.run(root, "--config", "preset=mini", "--", "all")
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout


def test_the_end_of_a_run_says_what_ran_and_where_the_tables_are(ran: subprocess.CompletedProcess[str]):
    assert "24 jobs ran and 0 results were there already, in " in ran.stdout
    assert "Tables: results/mini/tables (table7, table11)." in ran.stdout


def answering(n: int, question: str) -> Behaviour:
    """A fault, a wish to wait and a page that is no answer come first."""
    return ((500, {}, "out of order"), (429, {"Retry-After": "1"}, "{}"), (200, {}, "<html>"), completion("B"))[
        min(n, 4) - 1
    ]


@pytest.fixture(scope="module")
def two(
    cluster: Cluster, mini_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A run of two jobs: a training with two GPUs, and questions to an API."""
    root = cluster.describe(copy_of(mini_root, tmp_path_factory.mktemp("two") / "repository"))
    wanted = ("--configfile", "api.yaml", "--set-resources", "finetune:gpu=2", "--forcerun", "finetune")
    with serving() as server:
        server.behave = answering
        write_text(root / "api.yaml", row(server, "mrc"))
        targets = (f"results/mini/{TRAINED}/model.json", f"results/mini/{ASKED}/predictions.jsonl")
        ran = cluster.run(root, "--config", "preset=mini", *wanted, "--", *targets, timeout=600, TOY_KEY=KEY)
    assert ran.returncode == 0, ran.stdout[-6000:]
    return root, ran


def test_an_api_is_asked_by_a_job_that_has_the_key_from_its_environment(
    two: tuple[Path, subprocess.CompletedProcess[str]],
):
    root, ran = two
    lines = read_jsonl(root / f"results/mini/{ASKED}/predictions.jsonl")
    assert lines and {(line["prediction"], line["status"]) for line in lines} == {(1, "ok")}
    assert GIVEN.search(read_text(root / f"logs/mini/{ASKED}/decode_llm.log")).groups()[0] in ("c1", "c2")
    parts = [root / name for name in ("results", "logs", ".snakemake", "api.yaml", "profiles")]
    files = [path for part in parts for path in (part, *part.rglob("*")) if path.is_file()]
    assert [path for path in files if KEY.encode() in path.read_bytes()] == [] and KEY not in ran.stdout


def test_training_with_two_gpus_is_two_processes_of_one_job(
    two: tuple[Path, subprocess.CompletedProcess[str]], mini_root: Path
):
    root, _ = two
    before = read_json(mini_root / f"results/mini/{TRAINED}/model.json")
    log = read_text(root / f"logs/mini/{TRAINED}/finetune.log")
    assert GIVEN.search(log).groups() in [("g1", "0,1"), ("g2", "0,1")]
    assert re.findall(r"(\d+) processes have met by (\w+)", log) == [("2", "gloo")]
    after = read_json(root / f"results/mini/{TRAINED}/model.json")
    assert (after.keys(), after["outputs"].keys()) == (before.keys(), before["outputs"].keys())
    assert len(after["losses"]["curve"]) == len(before["losses"]["curve"])


def test_a_run_with_gpus_asks_for_the_type_that_its_cluster_s_file_names(
    cluster: Cluster, mini_root: Path, tmp_path: Path
):
    """As far as it goes where GPUs are none: the job has one and what stands beside it in the table, and says so."""
    root, cell = (
        cluster.describe(copy_of(mini_root, tmp_path / "repository"), gpu_model="toy"),
        "decode/si/bart-large/seed-1",
    )
    write_text(root / "gpus.yaml", "hardware: {gpus: 1}\n")
    wanted = ("--retries", "0", "--configfile", "gpus.yaml", "--config", "preset=mini")
    ran = cluster.run(root, *wanted, "--", f"results/mini/{cell}/predictions.jsonl", timeout=300)
    assert ran.returncode == 1
    resources = re.search(r"resources: (.*gpu_model=toy.*)", ran.stdout)[1].split(", ")
    assert {f"mem_mb={MEMORY_MB}", "runtime=480", "gpu=1"} <= {*resources}  # of 32 GB what there is
    number = re.search(r"SLURM jobid (\d+)", ran.stdout)[1]
    assert "gpu:toy:1" in cluster("scontrol", "show", "job", number)
    log = read_text(root / f"logs/mini/{cell}/decode.log")
    assert re.search(r"given on g[12]: .* GPUs [01]\n", log) and "torch sees no GPU here" in log


@pytest.fixture
def clients(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process finds the clients of the cluster."""
    for name, value in cluster.variables.items():
        monkeypatch.setenv(name, value)


def test_jobs_of_a_command_that_is_gone_are_told_from_those_of_one_that_lives(
    cluster: Cluster, clients: None, tmp_path: Path
):
    me, uuid = this_process(), "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
    for start in (me.started, me.started + 1):
        name = f"disco_{queue.code(me.host)}_{me.process}_{start}_{uuid}"
        cluster(
            "sbatch",
            "-p",
            "cpu",
            "--mem=100",
            "-J",
            name,
            "--comment",
            "rule_a|b",
            "-D",
            f"{tmp_path}",
            "--wrap",
            "sleep 300",
        )
    alive, dead = sorted(queue.queued(tmp_path) or (), key=lambda job: int(job.number))
    assert queue.left_behind([alive, dead]) == [dead] and alive.comment == "rule_a|b"
    queue.end([dead], tmp_path)
    assert [job.number for job in queue.queued(tmp_path) or ()] == [alive.number]
    queue.end([alive], tmp_path)
    assert queue.queued(tmp_path) == []


def test_limits_are_those_that_slurm_tells(clients: None):
    assert probe.partitions() == {
        "cpu": {"max_mem_mb": MEMORY_MB, "max_gpu": 0},
        "gpu": {"max_mem_mb": MEMORY_MB, "max_gpu": 2},
    }


def test_preflight_names_partitions_and_types_that_this_cluster_lacks(cluster: Cluster, tmp_path: Path):
    repository = copy_of_repository(tmp_path / "repository")
    root = cluster.describe(repository, gpu_model="h100", partitions=ELSEWHERE)
    write_text(root / "gpus.yaml", "hardware: {gpus: 1}\n")
    ran = cluster.run(root, "--configfile", "gpus.yaml", "--config", "preset=mini", "--", "preflight")
    assert ran.returncode == 1 and "Traceback" not in ran.stdout
    assert "partitions: Slurm has no partition elsewhere, only cpu, gpu; write the names of yours there." in ran.stdout
    assert "gpu_model: partition gpu has no GPUs of type h100, only toy; write one of these" in ran.stdout
    assert "jobs ask for" not in ran.stdout
