"""What jobs ask for grows with each attempt, stays within the cluster, and finds a partition there."""

import logging
import re
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from snakemake_executor_plugin_slurm.partitions import get_best_partition, read_partition_file

from discobench.errors import DiscoError
from discobench.files import read_text, write_json, write_text
from discobench.operations.jobs import Cluster, Needs, Partition, Resources, read_cluster, read_needs
from tests.conftest import ROOT

CLUSTER = ROOT / "profiles/slurm/cluster.yaml"
TABLE = {
    "plain": {"mem_mb": 2000, "runtime": 60},
    "model": {"mem_mb": 3000, "runtime": 60, "gpu": {"mem_mb": 32000}},
}
SMALL = {"cpu": {"max_mem_mb": 5000, "max_runtime": 100}, "gpu": {"max_gpu": 2, "max_mem_mb": 64000}}


def asked(rule: str, gpus: int, attempt: int, **own: int) -> dict[str, int]:
    needs = Needs(TABLE, Cluster.model_validate({"partitions": SMALL})).of(rule, gpus, **own)
    return {key: value(None, attempt=attempt) if callable(value) else value for key, value in needs.items()}


def test_a_second_attempt_gets_more_and_a_later_one_no_more_than_there_is():
    assert asked("plain", 1, 1) == {"mem_mb": 2000, "runtime": 60}
    assert asked("plain", 1, 2) == {"mem_mb": 4000, "runtime": 100}
    assert asked("plain", 1, 3) == {"mem_mb": 5000, "runtime": 100}


def test_a_job_with_a_gpu_asks_for_what_stands_there():
    assert asked("model", 0, 1) == {"mem_mb": 3000, "runtime": 60, "gpu": 0}
    assert asked("model", 1, 3) == {"mem_mb": 64000, "runtime": 180, "gpu": 1}


def test_what_only_jobs_with_gpus_ask_for_is_left_to_the_profile_without_them():
    needs = Needs({"rank": {"runtime": 60, "gpu": {"mem_mb": 16000}}}, Cluster.model_validate({"partitions": SMALL}))
    found = {gpus: needs.of("rank", gpus)["mem_mb"](None, attempt=1) for gpus in (0, 1)}
    assert found == {0: None, 1: 16000}


def test_a_type_of_gpu_is_asked_for_with_gpus_only():
    needs = Needs(TABLE, Cluster.model_validate({"gpu_model": "h100", "partitions": SMALL}))
    assert needs.of("model", 2)["gpu_model"] == "h100"
    assert "gpu_model" not in needs.of("model", 0) and "gpu_model" not in needs.of("plain", 2)


def tried(resources: Resources, wildcards: dict[str, str], attempt: int) -> dict[str, Any]:
    """What Snakemake makes of a rule's resources: functions get the attempt if they name it."""
    found = {}
    for name, value in resources.items():
        more = {"attempt": attempt} if callable(value) and "attempt" in signature(value).parameters else {}
        found[name] = value(wildcards, **more) if callable(value) else value
    return {name: value for name, value in found.items() if value is not None}


def test_memory_of_training_grows_only_where_time_was_not_what_ran_out(tmp_path: Path):
    """Attempts 1 and 3 were ended by SIGTERM, the second by who knows what."""
    needs = Needs(TABLE, Cluster.model_validate({"partitions": SMALL}))
    grown = needs.of_training("model", 1, 1, f"{tmp_path}/{{row}}/tune.log")
    write_json(tmp_path / "bart/tune.stopped.json", [1, 3])
    found = [tried(grown, {"row": "bart"}, n) for n in (1, 2, 3, 4)]
    assert [each["mem_mb"] for each in found] == [32_000, 32_000, 64_000, 64_000]
    assert [each["runtime"] for each in found] == [60, 120, 180, 240]
    assert [each["attempt"] for each in found] == [1, 2, 3, 4]
    assert tried(grown, {"row": "gpt2"}, 2)["mem_mb"] == 64_000


def test_gpus_of_several_nodes_are_asked_for_node_by_node(tmp_path: Path):
    """Slurm's executor takes them so; it refuses both ways at once, and a type of GPU counts for one."""
    needs = Needs(TABLE, Cluster.model_validate({"gpu_model": "h100", "partitions": SMALL}))

    def asked(**of: int) -> dict[str, Any]:
        grown = needs.of_training("model", lambda w: of["gpus"], lambda w: of["nodes"], f"{tmp_path}/tune.log")
        return {k: v for k, v in tried(grown, {}, 1).items() if k in ("gpu", "gpu_model", "gres", "nodes")}

    assert asked(gpus=2, nodes=1) == {"gpu": 2, "gpu_model": "h100", "nodes": 1}
    assert asked(gpus=2, nodes=3) == {"gpu": 0, "gres": "gpu:h100:2", "nodes": 3}
    assert asked(gpus=0, nodes=3) == {"gpu": 0, "nodes": 3}
    assert needs.first("model", 2, 3) == {"mem_mb": 32_000, "runtime": 60, **asked(gpus=2, nodes=3)}


EIGHT = {"one": {"max_gpu": 1, "max_runtime": 10_080}, "eight": {"max_gpu": 8, "max_runtime": 1440}}


@pytest.mark.parametrize("rule", ["pretrain_checkpoint", "finetune"])
@pytest.mark.parametrize(("gpus", "nodes", "best"), [(1, 1, "one"), (8, 1, "eight"), (8, 2, "eight"), (1, 2, "one")])
def test_training_keeps_to_the_limits_of_a_partition_with_as_many_gpus(
    tmp_path: Path, rule: str, gpus: int, nodes: int, best: str
):
    write_text(tmp_path / "cluster.yaml", yaml.safe_dump({"partitions": EIGHT}))
    needs = read_needs(ROOT / "resources/jobs.yaml", tmp_path / "cluster.yaml")
    grown = needs.of_training(rule, lambda w: w["gpus"], nodes, f"{tmp_path}/tune.log")
    minutes = needs.runtime(rule, lambda w: w["gpus"])
    for attempt in (1, 2, 9):
        asked = tried(grown, {"gpus": gpus}, attempt)
        job = SimpleNamespace(name=rule, threads=needs.threads(rule, gpus), resources=asked)
        assert get_best_partition(read_partition_file(tmp_path / "cluster.yaml"), job, logging.getLogger()) == best
        assert asked["runtime"] == minutes({"gpus": gpus}, attempt=attempt) <= EIGHT[best]["max_runtime"]


def test_what_the_table_does_not_have_comes_from_the_rule():
    assert asked("plain", 0, 2, mem_mb=1000, disk_mb=50_000) == {"mem_mb": 2000, "runtime": 100, "disk_mb": 100_000}


@given(st.integers(1, 100), st.integers(1, 5), st.sampled_from(list(TABLE)), st.integers(0, 1))
def test_every_job_finds_a_partition_at_every_attempt(
    tmp_path_factory: Any, cores: int, attempt: int, rule: str, gpus: int
):
    path = tmp_path_factory.getbasetemp() / "cluster.yaml"
    write_text(path, yaml.safe_dump({"account": "a", "partitions": SMALL}))
    job = SimpleNamespace(name=rule, threads=cores, resources=asked(rule, gpus, attempt))
    best = get_best_partition(read_partition_file(path), job, logging.getLogger())
    assert best == ("gpu" if rule == "model" and gpus else "cpu")


def test_the_cluster_that_is_described_as_it_comes_takes_every_rule():
    needs, partitions = read_needs(ROOT / "resources/jobs.yaml", CLUSTER), read_partition_file(CLUSTER)
    for rule, entry in needs.rules.items():
        resources = {k: v(None, attempt=9) if callable(v) else v for k, v in needs.of(rule, 1).items()}
        best = get_best_partition(
            partitions, SimpleNamespace(name=rule, threads=8, resources=resources), logging.getLogger()
        )
        assert best == ("gpu" if "gpu" in entry else "cpu"), rule


def test_an_account_may_be_a_number(tmp_path: Path):
    write_text(tmp_path / "cluster.yaml", "account: 1234\npartitions: {cpu: {max_runtime: 10080}}\n")
    assert read_cluster(tmp_path / "cluster.yaml").account == "1234"


def test_what_the_cluster_s_file_says_of_keys_is_so():
    text = read_text(CLUSTER)
    names = set(re.findall(r"\b(?:max|most)_\w+", text))
    assert names and names <= set(Partition.model_fields)
    assert not re.search(r"\bhardware\.|\d+[dh]\b", text)


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        ({"partition": {}}, "partition: unknown key; did you mean 'partitions'?"),
        ({"partitions": {"cpu": {"max_runtime": "7d"}}}, "partitions.cpu.max_runtime: found '7d'; allowed: "),
        ({"partitions": {}}, "partitions: found {}; allowed: "),
    ],
)
def test_a_faulty_description_is_one_sentence(tmp_path: Path, tree: dict[str, Any], sentence: str):
    write_text(tmp_path / "cluster.yaml", yaml.safe_dump(tree))
    with pytest.raises(DiscoError) as error:
        read_cluster(tmp_path / "cluster.yaml")
    assert f"cluster.yaml: {sentence}" in str(error.value)
