"""The type of GPU that jobs ask for is one that Slurm has where they go."""

from typing import Any

import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.operations.jobs import Cluster
from discobench.operations.preflight_types import types_of, unknown_type
from tests.support import ROOT

TOLD = "cpu|(null)\nmix|gpu:h100:4(S:0-1),gpu:2\nmix|gpu:v100:1\nplain|gpu:2(S:0)\n"


def said(model: str | None, gpus: int = 1, **partitions: int) -> list[str]:
    described: dict[str, Any] = {"partitions": {name: {"max_gpu": most} for name, most in partitions.items()}}
    cluster = Cluster.model_validate(described | {"gpu_model": model})
    run = Selection(resolve({"hardware": {"gpus": gpus}}, ROOT))
    return [found.sentence() for found in unknown_type(run, cluster, types_of(TOLD))]


def test_types_are_read_as_sinfo_prints_them():
    assert types_of(TOLD) == {"cpu": set(), "mix": {"h100", "v100"}, "plain": set()}


@pytest.mark.parametrize(("model", "gpus"), [("h100", 1), (None, 1), ("a100", 0)])
def test_a_type_that_is_there_or_that_nobody_asks_for_is_not_missing(model: str | None, gpus: int):
    assert said(model, gpus, cpu=0, mix=4) == []


def test_a_type_that_a_partition_lacks_is_named_with_those_it_has():
    (sentence,) = said("a100", cpu=0, mix=4)
    assert sentence == (
        "missing: profiles/slurm/cluster.yaml gpu_model: partition mix has no GPUs of type a100, only h100, v100; "
        "write one of these or take the partition's max_gpu out."
    )
    (sentence,) = said("h100", mix=4, plain=2)
    assert "partition plain has no GPUs of type h100, nor of any; write null" in sentence
