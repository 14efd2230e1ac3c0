"""What a run took, from what Snakemake and the jobs themselves wrote down."""

import csv
from pathlib import Path
from typing import Any

from discobench.files import read_json


def actual(times: Path, logs: Path) -> dict[str, dict[str, float]]:
    """For each stage: ``jobs``, ``hours`` of all jobs on the clock, ``core_hours``, and ``memory_mb`` of the largest.

    ``times`` holds Snakemake's benchmark files. Snakemake samples CPU time and misses short jobs, so a job's own
    account (``<log>.cost.json``) goes before it.
    """
    stages: dict[str, dict[str, float]] = {}
    for path in sorted(times.rglob("*.tsv")):
        name = path.relative_to(times)
        sums = stages.setdefault(name.parts[0], dict.fromkeys(("jobs", "hours", "core_hours", "memory_mb"), 0))
        cost = logs / name.with_suffix(".cost.json")
        _add(sums, _line(path), read_json(cost) if cost.exists() else {})
    return stages


def _line(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))[-1]


def _add(sums: dict[str, float], line: dict[str, str], cost: dict[str, Any]) -> None:
    sums["jobs"] += 1
    sums["hours"] += _number(line["s"]) / 3600
    sums["core_hours"] += (cost.get("cpu_s") or _number(line["cpu_time"])) / 3600
    sums["memory_mb"] = max(sums["memory_mb"], _number(line["max_rss"]), cost.get("peak_mb", 0))


def _number(text: str) -> float:
    """A number of a benchmark file, which has NA for what was not seen."""
    return 0.0 if text in ("NA", "-", "") else float(text)
