"""Looking around from the machine on which a command is given."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from discobench.config.selection import Selection
from discobench.operations.asking import asked, beyond
from discobench.operations.forecast import Forecast
from discobench.operations.jobs import read_needs
from discobench.operations.preflight import Finding
from discobench.operations.rates import read_rates
from discobench.operations.sizes import Sizes
from discobench.operations.surroundings import HUB, Surroundings, around
from discobench.report.paper import read_csv

SECONDS = 5
PATIENCE = 60.0
"""Seconds for Slurm to answer."""


def around_here(run: Selection, files: Any, results: Path) -> list[Finding]:
    """What is missing around a run; ``files`` are ``rates`` and ``paper`` of its forecast, ``jobs`` and ``cluster``."""
    rates = read_rates(files.rates)
    sizes = Sizes(run, rates, read_csv(files.paper), results)
    disk_gb = sum(line.disk_gb for line in Forecast(run, rates, sizes).lines())
    found = around(run, read_needs(files.jobs, files.cluster), surroundings(results), disk_gb)
    return [*found, *beyond(run, asked(run, rates, sizes))]


def surroundings(results: Path) -> Surroundings:
    """What is around a run whose results lie in ``results``."""
    there = next(folder for folder in (results, *results.absolute().parents) if folder.exists())
    return Surroundings(
        partitions(), reaches, lambda name: (results / "models" / name / "model.json").exists(), free_gb(there), hub()
    )


def hub() -> str:
    """The hub, or the mirror that HF_ENDPOINT names for the jobs that fetch."""
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or HUB


def free_gb(folder: Path) -> float:
    """Room on the disk of a folder."""
    return shutil.disk_usage(folder).free / 1e9


def partitions() -> frozenset[str] | None:
    """Partitions that Slurm knows; None where there is no Slurm, or none that answers."""
    if not shutil.which("sinfo"):
        return None
    try:
        ran = subprocess.run(["sinfo", "-h", "-o", "%R"], capture_output=True, encoding="utf-8", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    return frozenset(ran.stdout.split()) if ran.returncode == 0 else None


@cache
def reaches(address: str) -> bool:
    """Whether a server answers, whatever it says."""
    try:
        with urlopen(Request(address, method="HEAD"), timeout=SECONDS):
            return True
    except HTTPError:
        return True
    except OSError:
        return False
