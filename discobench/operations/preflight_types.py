"""Whether Slurm has GPUs of the type that jobs are to ask for."""

import re
from collections.abc import Iterable, Iterator, Mapping

from discobench.config.selection import Selection
from discobench.operations.jobs import Cluster
from discobench.operations.preflight import Finding, most_gpus
from discobench.operations.surroundings import CLUSTER

TYPE = re.compile(r"\bgpu:([^:,(]+):\d")


def unknown_type(run: Selection, cluster: Cluster, types: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    """Partitions to which jobs with GPUs may go and whose nodes have none of ``gpu_model``; Slurm refuses them there.

    ``types`` are those of each partition that Slurm knows.
    """
    wanted = cluster.gpu_model if most_gpus(run) else None
    for name in (name for name, limits in cluster.partitions.items() if limits.max_gpu and name in types):
        has = sorted({*types[name]})
        if wanted and wanted not in has:
            found = (
                f"partition {name} has no GPUs of type {wanted}, {'only ' + ', '.join(has) if has else 'nor of any'}"
            )
            remedy = f"write {'one of these' if has else 'null'} or take the partition's max_gpu out"
            yield Finding(f"{CLUSTER} gpu_model", found, remedy)


def types_of(told: str) -> dict[str, set[str]]:
    """The types of each partition's GPUs as ``sinfo -o '%R|%G'`` prints them: ``mix|gpu:h100:4(S:0-1),gpu:2``."""
    found: dict[str, set[str]] = {}
    for name, _, gres in (line.partition("|") for line in told.split("\n") if "|" in line):
        found.setdefault(name, set()).update(TYPE.findall(gres))
    return found
