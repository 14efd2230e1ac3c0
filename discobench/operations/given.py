"""What a job was given, against what it asked for: told in its first second, not by a crash after hours."""

import os
import re
import shutil
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.owners import BATCH

VISIBLE = "CUDA_VISIBLE_DEVICES"
DEFAULT_DISK_MB = 1000
"""What jobs ask for by the profile for Slurm where a rule does not say."""
GROUPS, MEMBERSHIP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Given:
    """Node, cores that the process may run on, memory, the GPUs it sees, room in its temporary folder."""

    node: str
    cores: int
    memory_mb: int
    gpus: tuple[str, ...]
    scratch_mb: int
    batch: bool

    @property
    def machine(self) -> str:
        """What a result was made on."""
        return f"{self.node}: {self.cores} cores, {self.memory_mb} MB of memory, GPUs {self._gpus}"

    @property
    def _gpus(self) -> str:
        return ",".join(self.gpus) or "none"

    def __str__(self) -> str:
        memory = f"{self.memory_mb} MB of memory, {self.scratch_mb} MB of scratch space"
        return f"given on {self.node}: {self.cores} cores, {memory}, GPUs {self._gpus}"


def given(tmpdir: Path, environment: Mapping[str, str]) -> Given:
    """What this process has; a step of Slurm is known by its variables."""
    return Given(
        environment.get("SLURMD_NODENAME") or socket.gethostname(),
        len(os.sched_getaffinity(0)),
        _memory_mb(environment),
        visible_gpus(environment),
        shutil.disk_usage(tmpdir).free // MB,
        any(name in environment for name in BATCH),
    )


def _memory_mb(environment: Mapping[str, str]) -> int:
    """The least of the machine's memory, the control group's limit and Slurm's."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MB]
    if MEMBERSHIP.exists():
        limits += [limit // MB for limit in group_limits(MEMBERSHIP.read_text("utf-8"), GROUPS)]
    # Slurm's MB are 1,048,576 bytes; 0 means all of the node. Snakemake hides the variable from most jobs.
    limits += [int(environment.get("SLURM_MEM_PER_NODE", 0)) * 1024 * 1024 // MB or limits[0]]
    return min(limits)


def group_limits(membership: str, groups: Path) -> Iterator[int]:
    """Bytes that a process in some control groups may have: what each group says, and those around it.

    ``membership`` is a process's /proc/self/cgroup, in version 1 or 2; ``groups`` is where control groups are mounted.
    """
    for line in membership.strip().split("\n"):
        _, controllers, place = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        name, root = ("memory.limit_in_bytes", groups / "memory") if controllers else ("memory.max", groups)
        inner = root / place.strip("/")
        for path in (folder / name for folder in (inner, *inner.parents) if folder.is_relative_to(root)):
            text = path.read_text("utf-8").strip() if path.exists() else ""
            if text.isdigit():
                yield int(text)


def visible_gpus(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the visible GPUs; where nobody chose, all that the machine has."""
    visible = environment.get(VISIBLE)
    if visible is None:
        return tuple(sorted(path.name.removeprefix("nvidia") for path in Path("/dev").glob("nvidia[0-9]*")))
    return tuple(name for name in visible.split(",") if name and name not in ("-1", "NoDevFiles"))


def gpus(gres: str) -> int:
    """GPUs of a node, of all types, as Slurm writes them: ``gpu:h100:4(S:0-1),gpu:v100:2``."""
    return sum(int(count) for count in re.findall(r"\bgpu:(?:[^:,(]+:)?(\d+)", gres))


def gpus_of(resources: Mapping[str, Any]) -> int:
    """GPUs that a job asked for on its node, or as ``gres`` on each of its nodes: ``gpu:2`` or ``gpu:h100:2``."""
    return int(resources.get("gpu", 0)) or gpus(str(resources.get("gres", "")))


def check(rule: str, threads: int, resources: Mapping[str, Any], seen: Given) -> None:
    """Raise DiscoError when the job was given less than it asked for."""
    for what, asked, found, remedy in _compared(threads, resources, seen):
        if found < asked:
            raise DiscoError(f"{rule} asked for {asked} {what} and has {found} on {seen.node}; {remedy}.")


def _compared(threads: int, resources: Mapping[str, Any], seen: Given) -> Iterator[tuple[str, int, int, str]]:
    wanted, disk = gpus_of(resources), int(resources.get("disk_mb", 0))
    yield "GPUs", wanted, len(seen.gpus), "see partitions in profiles/slurm/cluster.yaml, or set hardware.gpus to 0"
    if disk > DEFAULT_DISK_MB:
        yield "MB of scratch space", disk, seen.scratch_mb, "make room there or set TMPDIR to a larger disk"
    if seen.batch:
        yield "cores", threads, seen.cores, "the cluster confines jobs to fewer than they ask for: ask its keepers"
        yield "MB of memory", int(resources.get("mem_mb", 0)), seen.memory_mb, "see max_mem_mb in cluster.yaml"
