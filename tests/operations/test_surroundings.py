"""The preflight looks around: at the cluster, the hub and the disk."""

import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.operations import probe, queue
from discobench.operations.jobs import Cluster, Needs, read_needs
from discobench.operations.preflight import Finding
from discobench.operations.surroundings import HUB, Surroundings, around
from scripts.partitions import fits
from tests.conftest import ROOT
from tests.decode.toy_server import serving

KNOWN: dict[str, dict[str, int]] = {"cpu": {}, "gpu": {}, "debug": {"max_runtime": 30}}
WELL = Surroundings(KNOWN, lambda host: True, lambda name: False, 10_000.0, fits)


@pytest.fixture(scope="module")
def paper() -> Selection:
    return Selection(resolve({}, ROOT))


def needs(**partitions: dict[str, int]) -> Needs:
    table = read_needs(ROOT / "resources/jobs.yaml", ROOT / "profiles/slurm/cluster.yaml")
    return replace(table, cluster=Cluster.model_validate({"partitions": partitions})) if partitions else table


def blocking(found: list[Finding]) -> list[str]:
    return [finding.sentence() for finding in found if finding.blocking]


def test_where_all_is_well_nothing_is_missing(paper: Selection):
    assert around(paper, needs(), WELL, 5_000.0) == []


def test_a_partition_that_slurm_does_not_know_is_named_with_those_it_knows(paper: Selection):
    (sentence,) = blocking(around(paper, needs(cpu={}, h100={"max_gpu": 4}), WELL, 0.0))
    assert "Slurm has no partition h100, only cpu, debug, gpu; write the names of yours there." in sentence


def test_limits_that_are_wider_than_slurm_s_are_named(paper: Selection):
    seen = replace(WELL, partitions={"cpu": {"max_runtime": 4320, "max_mem_mb": 8000}, "gpu": {"max_gpu": 2}})
    described = needs(cpu={"max_runtime": 10080, "max_mem_mb": 8000}, gpu={"max_gpu": 2})
    (sentence,) = blocking(around(paper, described, seen, 0.0))
    assert (
        "partitions.cpu.max_runtime: 10080 here, and Slurm gives no job there more than 4320; write 4320." in sentence
    )
    first, second = blocking(around(paper, needs(cpu={"max_runtime": 60}, gpu={"max_gpu": 4}), seen, 0.0))
    assert "partitions.cpu.max_mem_mb: none here, and Slurm gives no job there more than 8000" in first
    assert "partitions.gpu.max_gpu: 4 here, and Slurm gives no job there more than 2; write 2." in second
    bare = replace(seen, partitions={"cpu": {}, "gpu": {"max_gpu": 0}})
    (sentence,) = blocking(around(paper, described, bare, 0.0))
    assert "partitions.gpu.max_gpu: 2 here, and Slurm gives no job there more than 0; write 0." in sentence


def test_limits_are_read_as_sinfo_prints_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    told = "cpu|infinite|8000|(null)\nmix|1-02:30:00|64000+|gpu:h100:4(S:0-1),gpu:2\nmix|1-02:30:00|128000|gpu:v100:1\n"
    (tmp_path / "sinfo").write_text(f"#!/bin/sh\nprintf '%s' '{told}'\n", "utf-8")
    (tmp_path / "sinfo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert probe.partitions() == {
        "cpu": {"max_mem_mb": 8000, "max_gpu": 0},
        "mix": {"max_runtime": 1590, "max_mem_mb": 128_000, "max_gpu": 6},
    }
    assert [probe.minutes(time) for time in ("30:00", "2:00:00", "7-00:00:00", "UNLIMITED")] == [30, 120, 10_080, None]


def test_an_address_that_does_not_answer_is_missing_unless_nobody_is_to_look(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DISCOBENCH_OFFLINE", raising=False)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        mine = {"preset": "mini", "run": {"rows": ["gpt-4"], "suites": []}, "api": {"base_url": address}}
        run, here = Selection(resolve(mine, ROOT)), replace(WELL, reaches=probe.asked_for)
        (sentence,) = blocking(around(run, needs(), here, 0.0))
        assert f"missing: api.base_url: {address} does not answer; start it or mend base_url" in sentence
        monkeypatch.setenv("DISCOBENCH_OFFLINE", "1")
        assert blocking(around(run, needs(), here, 0.0)) == []


def test_a_server_that_says_anything_is_there():
    with serving() as server:
        assert probe.reaches(server.url) and server.asked == []


@pytest.mark.parametrize("partitions", [None, KNOWN])
def test_a_run_that_does_not_go_to_slurm_asks_for_no_partitions(
    paper: Selection, partitions: dict[str, dict[str, int]] | None
):
    assert around(paper, needs(h100={}), replace(WELL, partitions=partitions, slurm=False), 0.0) == []


@pytest.mark.parametrize(("slurm", "known"), [(False, None), (True, {"cpu": {"max_mem_mb": 8000, "max_gpu": 0}})])
def test_slurm_is_asked_for_its_partitions_only_by_a_run_that_goes_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, slurm: bool, known: dict[str, dict[str, int]] | None
):
    (tmp_path / "sinfo").write_text("#!/bin/sh\necho 'cpu|infinite|8000|(null)'\n", "utf-8")
    (tmp_path / "sinfo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert probe.surroundings(tmp_path / "results", slurm, fits).partitions == known


def test_a_slurm_that_does_not_answer_is_missing(paper: Selection):
    (sentence,) = blocking(around(paper, needs(), replace(WELL, partitions=None), 0.0))
    assert sentence.startswith("missing: slurm: Slurm does not answer; give the command where sinfo does")


def test_a_run_with_gpus_needs_a_partition_that_has_some(paper: Selection):
    (sentence,) = blocking(around(paper, needs(cpu={}), WELL, 0.0))
    assert "none has max_gpu; say which have GPUs" in sentence


def test_a_model_that_several_gpus_pretrain_needs_a_partition_that_has_as_many():
    eight = Selection(resolve({"pretrain": {"disco-roberta-large": {"gpus": 8}}}, ROOT))
    assert not blocking(around(eight, needs(cpu={}, gpu={"max_gpu": 8}), WELL, 0.0))
    (sentence,) = blocking(around(eight, needs(cpu={}, gpu={"max_gpu": 4}), WELL, 0.0))
    assert "none has a max_gpu of 8 or more" in sentence


TWO = {"one": {"max_gpu": 1, "max_runtime": 10_080}, "eight": {"max_gpu": 8, "max_runtime": 1440}}


def test_a_model_that_several_gpus_pretrain_is_held_against_the_partition_that_has_as_many():
    eight = Selection(resolve({"pretrain": {"disco-roberta-large": {"gpus": 8}}, "finetune": {"gpus": 8}}, ROOT))
    seen = replace(WELL, partitions={"one": {}, "eight": {}})
    found = around(eight, needs(**TWO), seen, 0.0)
    assert blocking(found) == []
    notes = {finding.key: finding.missing for finding in found}
    for rule, asked in (("pretrain_checkpoint", 10_080), ("finetune", 2880)):
        told = f"{rule} asks for {asked} minutes and no partition gives more than 1440"
        assert notes[f"resources/jobs.yaml {rule}"] == told
    narrow = {"one": TWO["one"], "eight": TWO["eight"] | {"max_mem_mb": 16_000, "max_threads": 16}}
    assert blocking(around(eight, needs(**narrow), seen, 0.0)) == []


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ({"max_threads": 7, "max_runtime": 1440}, "32000 MB, 1440 minutes, 2 GPUs, 8 cores, 2 nodes"),
        ({"max_nodes": 1}, "32000 MB, 10080 minutes, 2 GPUs, 8 cores, 2 nodes"),
    ],
)
def test_cores_and_nodes_of_a_job_are_held_against_limits(limit: dict[str, int], told: str):
    run = Selection(resolve({"pretrain": {"disco-roberta-base": {"gpus": 2, "nodes": 2}}}, ROOT))
    described = needs(cpu={}, gpu={"max_gpu": 2} | limit)
    sentences = blocking(around(run, described, replace(WELL, partitions={"cpu": {}, "gpu": {}}), 0.0))
    assert any(f"no partition gives pretrain_checkpoint all that it asks for ({told}); lower" in s for s in sentences)
    assert not blocking(around(run, needs(cpu={}, gpu={"max_gpu": 2, "max_threads": 8, "max_nodes": 2}), WELL, 0.0))


def test_a_rule_that_no_partition_has_the_memory_for_is_a_note(paper: Selection):
    found = around(paper, needs(cpu={"max_mem_mb": 8000}, gpu={"max_gpu": 1}), WELL, 0.0)
    assert "resources/jobs.yaml leakage" in {finding.key for finding in found} and blocking(found) == []


def test_a_rule_whose_memory_and_time_no_partition_gives_together_is_missing_one():
    run = Selection(resolve({"hardware": {"gpus": 0}, "run": {"rows": ["disco-roberta-base"]}}, ROOT))
    described = needs(short={"max_runtime": 60}, long={"max_mem_mb": 20_000})
    told = blocking(around(run, described, replace(WELL, partitions={"short": {}, "long": {}}), 0.0))
    (sentence,) = [sentence for sentence in told if "pretrain_checkpoint" in sentence]
    assert "no partition gives pretrain_checkpoint all that it asks for (32000 MB, 10080 minutes); lower" in sentence
    without = Selection(resolve({"hardware": {"gpus": 0}, "run": {"rows": ["roberta-base"]}}, ROOT))
    assert blocking(around(without, described, replace(WELL, partitions={"short": {}, "long": {}}), 0.0)) == []


def test_memory_beside_a_gpu_and_time_are_held_against_the_limits_too(paper: Selection):
    limits = needs(cpu={"max_runtime": 1000}, gpu={"max_gpu": 1, "max_mem_mb": 20_000})
    found = {finding.key: finding.missing for finding in around(paper, limits, WELL, 0.0)}
    assert "finetune asks for 32000 MB and no partition gives more than 20000" in found["resources/jobs.yaml finetune"]
    assert "clean asks for 1440 minutes and no partition gives more than 1000" in found["resources/jobs.yaml clean"]


def test_models_that_score_and_a_mirror_are_looked_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    mini = Selection(resolve({"preset": "mini"}, ROOT))
    assert around(mini, needs(), replace(WELL, reaches=lambda host: False), 0.0) == []
    run = Selection(resolve({"run": {"rows": ["copy"], "tasks": ["ti"], "suites": []}}, ROOT))
    alone = replace(WELL, reaches=lambda host: False, hub=probe.hub())
    found = {finding.key: finding.missing for finding in around(run, needs(), alone, 0.0)}
    assert set(found) == {"checkpoints.gpt2-zh.source", "checkpoints.bert-base-zh.source"}
    assert all("https://mirror.example does not answer" in missing for missing in found.values())


def test_a_slurm_that_does_not_answer_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "sinfo").write_text("#!/bin/sh\nexec sleep 30\n", "utf-8")
    (tmp_path / "sinfo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(queue, "PATIENCE", 0.1)
    assert probe.partitions() is None


def test_without_a_network_every_checkpoint_of_the_hub_that_is_not_here_is_named(paper: Selection):
    alone = replace(WELL, reaches=lambda host: False, fetched=lambda name: name == "mbart-cc25")
    keys = {finding.key for finding in around(paper, needs(), alone, 0.0)}
    assert {"checkpoints.roberta-large-zh.source", "synthesis.parser.source"} <= keys
    assert not keys & {"checkpoints.mbart-cc25.source", "checkpoints.anchibert.source", "checkpoints.gpt-4.source"}
    assert any(HUB in sentence for sentence in blocking(around(paper, needs(), alone, 0.0)))


def test_a_run_that_makes_all_of_its_models_needs_no_network():
    alone = replace(WELL, reaches=lambda host: False)
    assert around(Selection(resolve({"preset": "demo"}, ROOT)), needs(), alone, 0.0) == []


def test_results_that_do_not_fit_are_missing_their_room(paper: Selection):
    (finding,) = around(paper, needs(), WELL, 12_345.0)
    assert finding.blocking and "12,345 GB and 10,000 GB are free" in finding.missing
