"""What jobs ask for: a table of rules, growing with each attempt, within what the cluster's partitions allow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field

from discobench.attempts import stopped
from discobench.config.load import read_as, read_yaml
from discobench.config.strict import Count, Positive, Strict

Resource = Callable[..., int]
LIMITS = {"mem_mb": "max_mem_mb", "runtime": "max_runtime"}


def _as_text(value: Any) -> Any:
    """An account of digits, which YAML takes for a number where it has no quotes."""
    return str(value) if type(value) is int else value


class Partition(Strict):
    """Limits of a partition, by the names that Snakemake's executor for Slurm has for them; None: no limit."""

    max_gpu: Count = 0
    max_mem_mb: Positive | None = None
    max_runtime: Positive | None = Field(default=None, description="minutes")
    max_threads: Positive | None = None
    max_nodes: Positive | None = None
    max_cpus_per_task: Positive | None = None


class Cluster(Strict):
    """A cluster as profiles/slurm/cluster.yaml describes it."""

    account: Annotated[str | None, BeforeValidator(_as_text)] = None
    jobs: Positive = 50
    gpu_model: str | None = Field(default=None, description="the type that jobs ask for, as Slurm names it")
    partitions: dict[str, Partition] = Field(min_length=1)

    def most(self, resource: str, gpus: int) -> float:
        """The most that a job with ``gpus`` GPUs may have of a resource in any partition."""
        fitting = [p for p in self.partitions.values() if p.max_gpu >= gpus and (gpus or not p.max_gpu)]
        limits = [getattr(p, LIMITS[resource]) for p in fitting or self.partitions.values()]
        return inf if None in limits else float(max(limits))


def read_cluster(path: Path) -> Cluster:
    """Read and check the description of a cluster; raises DiscoError naming the key at fault."""
    return read_as(Cluster, path)


@dataclass(frozen=True)
class Needs:
    """The table of rules and the cluster that bounds it."""

    rules: Mapping[str, Mapping[str, Any]]
    cluster: Cluster

    def of(self, rule: str, gpus: int, **own: int) -> dict[str, int | str | Resource]:
        """Resources of a rule: ``mem_mb`` and ``runtime`` (minutes) as functions of the attempt, ``gpu`` as a number.

        ``own`` are values that the table does not have; ``disk_mb`` grows without a limit. ``gpu_model`` is there where
        the cluster's description chooses one.
        """
        entry = self.rules[rule]
        gpus = gpus if "gpu" in entry else 0
        base = {k: v for k, v in entry.items() if k != "gpu"} | (entry["gpu"] if gpus else {}) | own
        grown: dict[str, int | str | Resource] = {key: self._grown(key, value, gpus) for key, value in base.items()}
        kind = {"gpu_model": self.cluster.gpu_model} if gpus and self.cluster.gpu_model else {}
        return grown | ({"gpu": gpus} if "gpu" in entry else {}) | kind

    def of_training(self, rule: str, gpus: int, log: str) -> dict[str, int | str | Resource]:
        """``of`` a rule that goes on where an attempt before stopped, and which ``attempt`` it is.

        Memory grows only with attempts that did not end by SIGTERM (see ``attempts``), which ran out of time, not of
        memory; ``log`` has the rule's wildcards in braces.
        """
        grown = self.of(rule, gpus)
        memory = cast(Resource, grown["mem_mb"])

        def asked(wildcards: Any, attempt: int) -> int:
            return memory(wildcards, attempt=attempt - stopped(Path(log.format(**wildcards)), attempt))

        return grown | {"mem_mb": asked, "attempt": lambda wildcards, attempt: attempt}

    def _grown(self, resource: str, base: int, gpus: int) -> Resource:
        most = self.cluster.most(resource, gpus) if resource in LIMITS else inf

        def asked(wildcards: Any, attempt: int) -> int:
            return cast(int, min(base * attempt, most))

        return asked


def read_needs(table: Path, cluster: Path) -> Needs:
    """Read what jobs ask for."""
    return Needs(read_yaml(table), read_cluster(cluster))
