"""Promises of several processes: the same batches and losses as one, and one end for all of them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError

pytestmark = [pytest.mark.torch, pytest.mark.slow]
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def toys() -> Any:
    pytest.importorskip("torch")
    from tests import toy_ranks

    return toy_ranks


@pytest.fixture(scope="module")
def undisturbed(toys: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    folder = tmp_path_factory.mktemp("two")
    return folder, toys.start(2, folder)


def test_two_ranks_learn_as_one_does(toys: Any, undisturbed: tuple[Path, Any], tmp_path: Path) -> None:
    """Uneven parts and a parameter that only some parts use included."""
    alone, (folder, pair) = toys.start(1, tmp_path), undisturbed
    assert [step for step, _ in pair.losses] == [step for step, _ in alone.losses]
    assert [loss for _, loss in pair.losses] == pytest.approx([loss for _, loss in alone.losses], rel=1e-5)
    assert pair.best == pytest.approx(alone.best, rel=1e-4)
    drawn = [(place / "drawn").read_text("utf-8").split() for place in (tmp_path, folder)]
    assert sorted(drawn[0]) == sorted(drawn[1])


def test_killed_ranks_end_with_the_same_weights(undisturbed: tuple[Path, Any], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.toy_ranks", str(tmp_path)]
    killed = subprocess.run([*command, "SIGTERM", "5"], cwd=ROOT, check=False, timeout=100)
    assert killed.returncode == 143
    assert max(path.name for path in tmp_path.glob("state/*/step-*")) == "step-000000006"
    assert subprocess.run(command, cwd=ROOT, check=True, timeout=100).returncode == 0
    weights = [(place / "weights").read_text("utf-8") for place in (undisturbed[0], tmp_path)]
    assert weights[0] == weights[1]


def test_when_one_rank_fails_all_do(toys: Any, tmp_path: Path) -> None:
    import torch

    from discobench import ranks

    with pytest.raises(DiscoError, match="rank 1 has had enough"):
        ranks.run(2, torch.device("cpu"), toys.fails, "says")
    with pytest.raises(RuntimeError, match="a process of the training run died"):
        ranks.run(2, torch.device("cpu"), toys.fails, "dies")


def test_the_port_follows_from_the_job_and_another_is_found_where_it_is_taken() -> None:
    import socket

    from discobench.ranks import PORTS, job_port, rendezvous

    assert job_port({}) == 0
    ports = [job_port({"SLURM_JOB_ID": str(number)}) for number in (7, 7, 8, 10**9)]
    assert ports[0] == ports[1] != ports[2] and set(ports) <= set(PORTS)
    with socket.socket() as taken:
        number = next(n for n in range(40) if taken.connect_ex(("127.0.0.1", PORTS[n])) != 0)
    job = {"SLURM_JOB_ID": str(number)}
    first, second = rendezvous(job), rendezvous(job)
    assert first.port == job_port(job) != second.port


def test_launchers_are_started_by_slurm_on_every_node_or_all_on_this_machine() -> None:
    import socket

    from discobench.nodes import launchers, of_the_job
    from discobench.ranks import job_port

    slurm = {"SLURM_JOB_ID": "7"}
    (command,) = launchers(3, 8, "some.module", Path("spec.json"), slurm)
    assert command[:5] == ["srun", "--overlap", "--nodes=3", "--ntasks=3", "--ntasks-per-node=1"]
    assert of_the_job({"SLURM_JOB_NODELIST": "c1", "PATH": "/bin", **slurm}) == {"PATH": "/bin", **slurm}
    assert {"--nnodes=3", "--nproc-per-node=8", f"--rdzv-endpoint={socket.gethostname()}:{job_port(slurm)}"} < set(
        command
    )
    assert command[-3:] == ["-m", "some.module", "spec.json"]
    here = launchers(3, 1, "some.module", Path("spec.json"), {})
    assert len(here) == 3 and here[0] == here[1] and "torch.distributed.run" in here[0]
