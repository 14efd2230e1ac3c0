"""Pretraining on two nodes of a real Slurm cluster: torchrun on each meets the other, and they learn what one does."""

import sys
from pathlib import Path

import pytest

from discobench.files import read_json, write_text
from tests.conftest import ROOT
from tests.workflow.cluster import Cluster

pytestmark = [pytest.mark.slurm, pytest.mark.slow, pytest.mark.torch]
# As Snakemake's executor has a job's own step started: by srun with one task, with little of what Slurm told the job.
FORGET = "unset SLURM_JOB_NODELIST SLURM_NODELIST SLURM_NNODES SLURM_JOB_NUM_NODES SLURM_NTASKS SLURM_NPROCS\n"
START = "exec srun -n1 --nodes=2 {python} -m tests.pretrain.two_nodes {folder}\n"


def test_two_nodes_learn_what_one_process_does(cluster: Cluster, tmp_path: Path) -> None:
    started = START.format(python=sys.executable, folder=tmp_path)
    write_text(tmp_path / "job.sh", f"#!/bin/sh\nexport OMP_NUM_THREADS=1\n{FORGET}{started}")
    asked = ("--nodes=2", "--ntasks=2", "--mem=4000", "-p", "cpu", "--chdir", str(ROOT), "-o", str(tmp_path / "log"))
    number = cluster("sbatch", "--parsable", *asked, str(tmp_path / "job.sh"))
    cluster.wait_for("the job to end", lambda: not cluster("squeue", "-h", "-j", number, "-t", "PD,R,CG"), 180)
    log = (tmp_path / "log").read_text("utf-8")
    assert (tmp_path / "losses.json").exists(), log
    one, two = ([loss for _, loss in losses] for losses in read_json(tmp_path / "losses.json"))
    assert two == pytest.approx(one, rel=1e-4)
    assert "2 processes have met by gloo" in log
