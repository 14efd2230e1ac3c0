"""Pretraining on two nodes of a real Slurm cluster: each has its GPUs, and all processes learn what one does.

The GPUs are none, so processes that have them compute on the CPU.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from transformers import AutoTokenizer

from discobench.files import read_json, read_text, write_json, write_text
from discobench.models import family
from discobench.pretrain.job import Job, done
from discobench.pretrain.program import Task, plan_of
from tests.conftest import copy_of_repository
from tests.pretrain.packed import write_packed
from tests.pretrain.texts import EN, TRAINING
from tests.workflow.cluster import Cluster

pytestmark = [pytest.mark.slurm, pytest.mark.slow, pytest.mark.torch]
NAME = "disco-gpt2-en"
BASE, PACKED = "results/pair/models/gpt2-en", f"results/pair/corpus/packed/{NAME}"
TRAINED, LOG = f"results/pair/pretrain/{NAME}/model.json", f"logs/pair/pretrain/{NAME}.log"
KEYS = {"gpus": 2, "nodes": 2, "sharding": "full", "training": TRAINING | {"steps": 4, "dropout": 0.0}}
PAIR = {
    "run": {"preset": "pair", "genres": ["en_novel"]},
    "hardware": {"gpus": 1, "precision": "fp32"},
    "pretrain": {NAME: KEYS},
}
WANTED = ["--allowed-rules", "pretrain_checkpoint", "--set-threads", "pretrain_checkpoint=1", "--set-resources"]
WANTED += ["pretrain_checkpoint:cuda=0", "pretrain_checkpoint:mem_mb=4000", "--retries", "0"]
# What Python reads as it starts: each process that trains notes its node and what it may see there.
NOTE = """
import os, pathlib, sys
if "discobench.pretrain.job" in sys.orig_argv and "RANK" in os.environ:
    seen = os.environ["SLURMD_NODENAME"] + " " + os.environ["CUDA_VISIBLE_DEVICES"]
    pathlib.Path("seen-" + os.environ["RANK"]).write_text(seen)
"""


@pytest.fixture
def root(cluster: Cluster, tmp_path: Path) -> Path:
    """A copy in which a tiny GPT-2 and a packed corpus wait to be trained."""
    root = cluster.describe(copy_of_repository(tmp_path / "repository"), gpu_model="toy")
    base, packed = root / BASE, root / PACKED
    for folder in (base, packed):
        folder.mkdir(parents=True)
    family("gpt2").tiny(base, EN, {"hidden": 32, "vocabulary": 300, "language": "en"}, 1)
    write_json(base / "model.json", {})
    tokenizer = AutoTokenizer.from_pretrained(base)
    documents = [tokenizer(text * 2, add_special_tokens=False)["input_ids"] for text in EN]
    splits = {"train": (documents, [0] * len(documents)), "valid": (documents[:2], [0, 0])}
    write_packed(packed, splits, ["en_novel"])
    write_text(root / "pair.yaml", yaml.safe_dump(PAIR))
    write_text(root / "sitecustomize.py", NOTE)
    return root


def learnt_alone(root: Path) -> dict[str, Any]:
    """What one process learns from what the job was given."""
    p, packed = read_json((root / LOG).with_suffix(".job.json"))["params"], PACKED + "/index.balance.json"
    task = Task(p["family"], root / BASE, root / packed, p["languages"], training=p["training"], **p["recipe"])
    state, out = (root / name for name in ("state", "out"))
    for folder in (state, out):
        folder.mkdir()
    return done(Job(task, plan_of(p["training"], p["seed"], "fp32", "full"), state, "cpu", out, root / "curves"), 1, 1)


def test_two_nodes_with_gpus_learn_what_one_process_does(cluster: Cluster, root: Path):
    ran = cluster.run(root, *WANTED, "--configfile", "pair.yaml", "--", TRAINED, timeout=300)
    log = read_text(root / LOG) if (root / LOG).exists() else ""
    assert ran.returncode == 0, ran.stdout[-6000:] + log[-6000:]
    assert sorted(read_text(path) for path in root.glob("seen-*")) == ["g1 0,1", "g1 0,1", "g2 0,1", "g2 0,1"]
    assert "4 processes have met by gloo" in log
    assert re.search(r"resources: .*gpu=0, gres=gpu:toy:2, nodes=2", ran.stdout)
    assert read_json((root / LOG).with_suffix(".cost.json"))["gpus"] == 2
    told = (read_json(root / TRAINED), learnt_alone(root))
    several, one = ([loss for _, loss in each["losses"]["train"]] for each in told)
    assert several == pytest.approx(one, rel=1e-4)
