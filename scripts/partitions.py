"""Whether Snakemake's executor for Slurm would find a partition for a job, by its own reckoning."""

from collections.abc import Mapping
from logging import CRITICAL, Logger
from types import SimpleNamespace
from typing import Any

from snakemake_executor_plugin_slurm import partitions as slurm  # type: ignore[import-untyped]

from discobench.operations.jobs import Cluster


def fits(cluster: Cluster, rule: str, threads: int, resources: Mapping[str, Any]) -> bool:
    """Whether one partition allows all that a job asks for."""
    described = {name: entry.model_dump(exclude_none=True) for name, entry in cluster.partitions.items()}
    limits = {name: slurm.PartitionLimits(**entry) for name, entry in described.items()}
    partitions = [slurm.Partition(name=name, limits=limit) for name, limit in limits.items()]
    job = SimpleNamespace(name=rule, threads=threads, resources=resources)
    return slurm.get_best_partition(partitions, job, Logger("partitions", CRITICAL)) is not None
