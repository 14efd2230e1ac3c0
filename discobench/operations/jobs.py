"""What jobs ask for: a table of rules, growing with each attempt, within what the cluster's partitions allow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from discobench.attempts import stopped
from discobench.config.load import read_as, read_yaml
from discobench.config.strict import Count, Positive, Strict

Resource = Callable[..., int | None]
Amount = int | Callable[[Any], int]
"""A number, or what a job's wildcards make of it."""
Resources = dict[str, int | str | Callable[..., int | str | None]]
"""Of a rule's jobs, by name; one that comes to None is not asked for."""
LIMITS = {"mem_mb": "max_mem_mb", "runtime": "max_runtime"}


def _as_text(value: Any) -> Any:
    """An account of digits, which YAML takes for a number where it has no quotes."""
    return str(value) if type(value) is int else value


class Partition(Strict):
    """Limits of a partition, by the names that Snakemake's executor for Slurm has for them; None: no limit.

    ``max_gpu`` is of a node.
    """

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
        """The most that a job with ``gpus`` GPUs of a node may have of a resource in any partition."""
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

    def threads(self, rule: str, gpus: int) -> int:
        """Cores of a rule's jobs, with GPUs and without."""
        return self._values(rule, gpus > 0).get("threads", 1)

    def of(self, rule: str, gpus: int, **own: int) -> Resources:
        """Resources of a rule: ``mem_mb`` and ``runtime`` (minutes) as functions of the attempt, ``gpu`` as a number.

        ``own`` are values that the table does not have; ``disk_mb`` grows without a limit. ``gpu_model`` is there where
        the cluster's description chooses one.
        """
        asked = {"gpu": gpus} if "gpu" in self.rules[rule] else {}
        kind = {"gpu_model": self.cluster.gpu_model} if gpus and asked and self.cluster.gpu_model else {}
        return {**self._grown(rule, gpus if asked else 0, own), **asked, **kind}

    def of_training(self, rule: str, gpus: Amount, nodes: Amount, log: str) -> Resources:
        """What a rule asks for that goes on where an attempt before stopped, and which ``attempt`` it is.

        ``gpus`` are those of each of its ``nodes``. Memory grows only with attempts that did not end by SIGTERM (see
        ``attempts``), which ran out of time, not of memory; ``log`` has the rule's wildcards in braces.
        """
        grown = self._grown(rule, gpus, {})
        memory = grown["mem_mb"]

        def asked(wildcards: Any, attempt: int) -> int | None:
            return memory(wildcards, attempt=attempt - stopped(Path(log.format(**wildcards)), attempt))

        own = {"mem_mb": asked, "nodes": nodes, "attempt": lambda wildcards, attempt: attempt}
        return {**grown, **self._shared(gpus, nodes), **own}

    def first(self, rule: str, gpus: int, nodes: int, **own: int) -> dict[str, int | str]:
        """What the first try of a job with ``gpus`` on each of ``nodes`` asks for; ``own`` as in ``of``."""
        grown = {name: value({}, attempt=1) for name, value in self._grown(rule, gpus, own).items()}
        shared = {name: value({}) for name, value in self._shared(gpus, nodes).items()}
        return {name: value for name, value in {**grown, **shared, "nodes": nodes}.items() if value is not None}

    def runtime(self, rule: str, gpus: Amount) -> Resource:
        """The wall time (minutes) of a rule's jobs by their wildcards and attempt."""
        return self._grown(rule, gpus, {})["runtime"]

    def _shared(self, gpus: Amount, nodes: Amount) -> dict[str, Callable[..., int | str | None]]:
        """GPUs of one node as ``gpu``, those of each of several as ``gres``, which Slurm's executor has for it.

        With ``gpu``, which counts those of all nodes, it would start the job on one node with the GPUs of all.
        """
        model = self.cluster.gpu_model

        def alone(wildcards: Any) -> int:
            return _of(gpus, wildcards) if _of(nodes, wildcards) == 1 else 0

        def on_each(wildcards: Any) -> str | None:
            count = _of(gpus, wildcards) - alone(wildcards)
            return ":".join(["gpu", *filter(None, [model]), f"{count}"]) if count else None

        return {"gpu": alone, "gres": on_each, "gpu_model": lambda wildcards: model if alone(wildcards) else None}

    def _grown(self, rule: str, gpus: Amount, own: Mapping[str, int]) -> dict[str, Resource]:
        """What grows with the attempt, up to what a job with as many GPUs may have."""
        without, having = ({**self._values(rule, has), **own} for has in (False, True))
        keys = [key for key in having if key != "threads"]
        return {key: self._asked(key, without.get(key), having[key], gpus) for key in keys}

    def _values(self, rule: str, has_gpus: bool) -> dict[str, int]:
        entry = self.rules[rule]
        return {k: v for k, v in {**entry, **(entry.get("gpu", {}) if has_gpus else {})}.items() if k != "gpu"}

    def _asked(self, resource: str, without: int | None, having: int, gpus: Amount) -> Resource:
        """None where only jobs with GPUs ask for it: the profile's default holds."""

        def asked(wildcards: Any, attempt: int) -> int | None:
            count = _of(gpus, wildcards)
            most = self.cluster.most(resource, count) if resource in LIMITS else inf
            wanted = having if count else without
            return None if wanted is None else int(min(wanted * attempt, most))

        return asked


def _of(amount: Amount, wildcards: Any) -> int:
    return amount(wildcards) if callable(amount) else amount


def read_needs(table: Path, cluster: Path) -> Needs:
    """Read what jobs ask for."""
    return Needs(read_yaml(table), read_cluster(cluster))
