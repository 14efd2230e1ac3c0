"""What a run took, from what Snakemake and the jobs themselves wrote down."""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from discobench.files import read_json
from discobench.operations.given import gpus_of

MODELLED = ("models", "pretrain", "finetune", "decode", "diagnose")
"""Stages whose jobs are told apart by model, as a forecast does."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What the part of a job took that is of one model or genre and one task.

    ``hours`` on the clock, those of tries that failed before included; ``gpu_hours`` for each GPU that the job held;
    ``memory_mb`` is of the whole job.
    """

    stage: str
    what: str
    task: str
    jobs: float
    hours: float
    core_hours: float
    gpu_hours: float
    memory_mb: float


def actual(times: Path, logs: Path) -> list[Spent]:
    """What each finished job took; ``times`` holds Snakemake's benchmark files, ``logs`` what jobs say of themselves.

    Snakemake samples CPU time and misses short jobs, so a job's own account (``<log>.cost.json``) goes before it. What
    failed tries took of CPU time nobody has counted.
    """
    found: list[Spent] = []
    for path in sorted(times.rglob("*.tsv")):
        name = path.relative_to(times)
        said = [logs / name.with_suffix(f".{kind}.json") for kind in ("job", "cost")]
        found += _of_job(name, _line(path), *(read_json(file) if file.exists() else {} for file in said))
    return found


def sums(spent: Iterable[Spent], key: Callable[[Spent], str]) -> dict[str, dict[str, float]]:
    """Sums by ``key``, and the largest job's memory; what has no key is in none."""
    found: dict[str, dict[str, float]] = {}
    for one in spent:
        numbers = [(field.name, getattr(one, field.name)) for field in fields(one)[3:]]
        entry = found.setdefault(key(one), dict.fromkeys((name for name, _ in numbers), 0.0))
        entry |= {n: max(entry[n], v) if n == "memory_mb" else entry[n] + v for n, v in numbers}
    return {name: entry for name, entry in found.items() if name}


def _of_job(name: Path, line: dict[str, str], job: dict[str, Any], cost: dict[str, Any]) -> Iterator[Spent]:
    """A job of several cells has an equal part for each: nobody has measured them one by one."""
    cells = list(_cells(name.parts, job.get("wildcards", {}), job.get("params", {})))
    hours = (_number(line["s"]) + cost.get("failed_s", 0.0)) / 3600
    asked = job.get("resources", {})
    several = asked.get("nodes", 1) if asked.get("gres") else 1  # it sees those of one node, and asks for them in gres
    gpus = max(cost.get("gpus", 0), gpus_of(asked)) * several
    cores = (cost.get("cpu_s") or _number(line["cpu_time"])) / 3600
    memory = max(_number(line["max_rss"]), cost.get("peak_mb", 0))
    part = 1 / len(cells)
    for task, what in cells:
        yield Spent(name.parts[0], what, task, part, hours * part, cores * part, hours * gpus * part, memory)


def _cells(place: tuple[str, ...], wildcards: dict[str, str], params: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Task and model or genre of each cell of a job; empty where a forecast does not tell them apart."""
    told = params.get("cells", [])
    if told and all(len(cell) == 2 for cell in told):  # scores by a model of before had three
        yield from ((task, row) for task, row in told)
        return
    task = place[1] if place[0] == "synthesis" else wildcards.get("task", params.get("task", ""))
    model = wildcards.get("row", wildcards.get("checkpoint", "")) if place[0] in MODELLED else ""
    yield task if isinstance(task, str) else "", model or wildcards.get("genre", "")


def _line(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))[-1]


def _number(text: str) -> float:
    """A number of a benchmark file, which has NA for what was not seen."""
    return 0.0 if text in ("NA", "-", "") else float(text)
