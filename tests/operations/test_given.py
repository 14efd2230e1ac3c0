"""A job that was given less than it asked for says so at once."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yte

from discobench.errors import DiscoError
from discobench.files import read_text, write_text
from discobench.operations.given import Given, check, given, group_limits
from discobench.operations.gpus import chosen
from tests.conftest import ROOT, copy_of_repository, snakemake

SEEN = Given("n7", cores=8, memory_mb=32_000, gpus=("0",), scratch_mb=50_000, batch=True)
ASKED = {"gpu": 1, "mem_mb": 32_000, "disk_mb": 40_000}


def test_a_job_with_what_it_asked_for_goes_on():
    check("finetune", 8, ASKED, SEEN)


@pytest.mark.parametrize(
    ("less", "sentence"),
    [
        ({"gpus": ()}, "finetune asked for 1 GPUs and has 0 on n7; see partitions in"),
        ({"cores": 1}, "finetune asked for 8 cores and has 1 on n7; the cluster confines"),
        ({"memory_mb": 1000}, "finetune asked for 32000 MB of memory and has 1000 on n7; see max_mem_mb"),
        ({"scratch_mb": 9}, "finetune asked for 40000 MB of scratch space and has 9 on n7; make room"),
    ],
)
def test_less_is_one_sentence(less: dict[str, Any], sentence: str):
    with pytest.raises(DiscoError) as error:
        check("finetune", 8, ASKED, replace(SEEN, **less))
    assert str(error.value).startswith(sentence) and "\n" not in str(error.value)


@pytest.mark.parametrize("gres", ["gpu:2", "gpu:h100:2", "license:3,gpu:h100:1,gpu:v100:1"])
def test_gpus_of_several_nodes_are_counted_on_each(gres: str):
    both = replace(SEEN, gpus=("0", "1"))
    check("pretrain_checkpoint", 8, {"gpu": 0, "gres": gres, "nodes": 4}, both)
    with pytest.raises(DiscoError, match="asked for 2 GPUs and has 1 on n7"):
        check("pretrain_checkpoint", 8, {"gpu": 0, "gres": gres, "nodes": 4}, SEEN)


def test_cores_and_memory_are_promises_of_clusters_alone():
    check("leakage", 16, {"mem_mb": 64_000, "disk_mb": 1000}, replace(SEEN, batch=False, scratch_mb=500))


@pytest.mark.parametrize(("variable", "gpus"), [("0,1", ("0", "1")), ("", ()), ("NoDevFiles", ()), ("-1", ())])
def test_gpus_are_those_that_are_visible(tmp_path: Path, variable: str, gpus: tuple[str, ...]):
    assert given(tmp_path, {"CUDA_VISIBLE_DEVICES": variable}).gpus == gpus


@pytest.mark.parametrize("variable", ["SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID"])
def test_jobs_of_a_cluster_are_known(tmp_path: Path, variable: str):
    assert given(tmp_path, {variable: "7"}).batch and not given(tmp_path, {"JOB_ID": "7"}).batch


STEP = "system.slice/slurmstepd.scope/job_7/step_0/user/task_0"


@pytest.mark.parametrize(
    ("membership", "limits"),
    [
        (f"0::/{STEP}\n", {"system.slice/slurmstepd.scope/job_7/memory.max": 4, f"{STEP}/memory.max": "max"}),
        ("5:cpu:/a\n4:memory,hugetlb:/job_7\n0::/\n", {"memory/job_7/memory.limit_in_bytes": 4}),
        ("4:memory:/of/the/host\n", {"memory/memory.limit_in_bytes": 4}),
        ("0::/\n", {"memory.max": 4, "memory/memory.limit_in_bytes": 3}),
    ],
    ids=["version 2", "version 1", "a container", "no group"],
)
def test_the_limit_of_a_jobs_control_group_is_found(tmp_path: Path, membership: str, limits: dict[str, Any]):
    for name, limit in limits.items():
        write_text(tmp_path / name, f"{limit}\n")
    write_text(tmp_path.parent / "memory.max", "1\n")  # outside
    assert list(group_limits(membership, tmp_path)) == [4]


def test_what_slurm_grants_bounds_what_the_machine_has(tmp_path: Path):
    here = given(tmp_path, {})
    step = given(tmp_path, {"SLURM_JOB_ID": "1", "SLURM_MEM_PER_NODE": "100", "SLURMD_NODENAME": "c1"})
    assert not here.batch and here.cores >= 1 and here.memory_mb > 100
    assert (step.node, step.memory_mb, step.batch) == ("c1", 104, True)
    assert given(tmp_path, {"SLURM_MEM_PER_NODE": "0"}).memory_mb == here.memory_mb


@pytest.mark.slow
def test_the_command_stops_a_job_that_has_no_gpu_and_says_so(repository: Path):
    wanted = [
        "--set-resources",
        "build:gpu=1",
        "--config",
        "preset=mini",
        "--",
        "results/mini/tasks/si/build.balance.json",
    ]
    ran = snakemake(repository, "--profile", "profiles/demo", *wanted, timeout=120, CUDA_VISIBLE_DEVICES="")
    assert ran.returncode == 1
    assert "build asked for 1 GPUs and has 0 on " in ran.stdout and "Traceback" not in ran.stdout
    assert "1 jobs failed or were not begun: build 1. The same command goes on from here." in ran.stdout


ONE_MACHINE = replace(SEEN, gpus=("0", "1", "2"), batch=False)
CHOSEN = {"CUDA_VISIBLE_DEVICES": "0,1,2"}


def test_jobs_of_one_machine_have_gpus_of_their_own(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with chosen(1, ONE_MACHINE, tmp_path, CHOSEN) as first, chosen(2, ONE_MACHINE, tmp_path, CHOSEN) as second:
        assert (first, second) == ({"CUDA_VISIBLE_DEVICES": "0"}, {"CUDA_VISIBLE_DEVICES": "1,2"})
        assert caplog.messages == []
        with chosen(1, ONE_MACHINE, tmp_path, CHOSEN) as third:
            assert third == first
        assert caplog.messages == ["GPUs 0 are those of other jobs, too"]
    with chosen(1, ONE_MACHINE, tmp_path, CHOSEN) as again:
        assert again == first


def test_where_nobody_chose_gpus_are_counted_as_cuda_counts(tmp_path: Path):
    """A container may have the device file nvidia5 alone."""
    with chosen(1, replace(ONE_MACHINE, gpus=("5",)), tmp_path, {}) as variables:
        assert variables == {"CUDA_VISIBLE_DEVICES": "0"}


def test_a_cluster_chooses_by_itself(tmp_path: Path):
    with chosen(3, replace(ONE_MACHINE, batch=True), tmp_path, CHOSEN) as variables:
        assert variables == {} and not list(tmp_path.iterdir())


def test_jobs_that_share_an_allocation_have_gpus_of_their_own(tmp_path: Path):
    allocation = replace(ONE_MACHINE, batch=True)
    with chosen(1, allocation, tmp_path, CHOSEN) as first, chosen(2, allocation, tmp_path, CHOSEN) as second:
        assert (first, second) == ({"CUDA_VISIBLE_DEVICES": "0"}, {"CUDA_VISIBLE_DEVICES": "1,2"})


@pytest.mark.parametrize("batch", [False, True])
def test_a_job_that_wants_no_gpu_sees_none(tmp_path: Path, batch: bool):
    with chosen(0, replace(ONE_MACHINE, batch=batch), tmp_path, CHOSEN) as variables:
        assert variables == {"CUDA_VISIBLE_DEVICES": ""} and not list(tmp_path.iterdir())
    with chosen(0, replace(ONE_MACHINE, batch=batch, gpus=()), tmp_path, CHOSEN) as variables:
        assert variables == {}


@pytest.mark.parametrize("gpus", [0, 1, 3])
def test_the_profile_of_one_machine_grants_what_it_has(tmp_path: Path, gpus: int):
    for name in [*(f"nvidia{n}" for n in range(gpus)), "nvidiactl", "nvidia-uvm"]:
        (tmp_path / name).touch()
    profile = yte.process_yaml(read_text(ROOT / "profiles/local/config.yaml").replace('"/dev"', f'"{tmp_path}"'))
    assert profile["resources"]["gpu"] == max(1, gpus)
    assert profile["resources"]["mem_mb"] >= given(tmp_path, {}).memory_mb


@pytest.mark.slow
def test_a_job_of_the_local_profile_computes_on_the_gpus_that_it_asked_for(tmp_path: Path):
    root = copy_of_repository(tmp_path / "repository")
    target = "results/mini/tasks/mrc/build.balance.json"
    wanted = ["--set-resources", "build:gpu=1", "--config", "preset=mini", "--", target]
    ran = snakemake(root, "--profile", "profiles/local", *wanted, timeout=120, CUDA_VISIBLE_DEVICES="6,7")
    assert ran.returncode == 0, ran.stdout[-3000:]
    log = read_text(root / "logs/mini/tasks/mrc/build.log")
    assert re.search(r"given on .* GPUs 6,7\n", log) and re.search(r"computes on GPUs [67]\n", log)
