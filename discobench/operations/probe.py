"""Looking around from the machine on which a command is given."""

import os
import re
import shutil
from functools import cache, partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from huggingface_hub import get_token

from discobench.config.selection import Selection
from discobench.models.sources import read_lock
from discobench.operations.asking import asked, beyond
from discobench.operations.forecast import Forecast
from discobench.operations.given import gpus, visible_gpus
from discobench.operations.jobs import read_needs
from discobench.operations.preflight import Finding, Machine, bytes_below, fault, holds
from discobench.operations.preflight_hub import Hub, unknown
from discobench.operations.preflight_types import types_of, unknown_type
from discobench.operations.queue import asked_of_slurm
from discobench.operations.rates import read_rates
from discobench.operations.sizes import Sizes
from discobench.operations.surroundings import HUB, OFFLINE, Fits, Surroundings, around
from discobench.report.paper import read_csv
from discobench.synthesis.perplexity import TOOLS

SECONDS = 5
LOCK = "checkpoints.lock.json"


def this_machine(scheduled: bool, slurm: bool = False) -> Machine:
    """What can be seen of this machine; ``scheduled`` jobs run elsewhere, those of ``slurm`` there."""
    path = f"{TOOLS}{os.pathsep}{os.environ.get('PATH', '')}"
    free, gpus = shutil.disk_usage(gettempdir()).free, len(visible_gpus(os.environ))

    def finds(name: str) -> bool:
        return bool(shutil.which(name, path=path))

    return Machine(os.path.exists, os.environ, finds, gpus, bytes_below, free, scheduled, slurm, holds, fault)


def around_here(run: Selection, files: Any, results: Path, slurm: bool, fits: Fits) -> list[Finding]:
    """What is missing around a run; ``files`` are ``rates`` and ``paper`` of its forecast, ``jobs`` and ``cluster``.

    ``slurm`` says whether its jobs go there, ``fits`` whether one finds a partition.
    """
    rates = read_rates(files.rates)
    sizes = Sizes(run, rates, read_csv(files.paper), results)
    disk_gb = sum(line.disk_gb for line in Forecast(run, rates, sizes).lines()) - bytes_below(str(results)) / 1e9
    needs = read_needs(files.jobs, files.cluster)
    told = asked_of_slurm("sinfo", "-h", "-o", "%R|%G") if slurm and needs.cluster.gpu_model else None
    types = unknown_type(run, needs.cluster, types_of(told or ""))
    found = [*around(run, needs, surroundings(results, slurm, fits), disk_gb), *types]
    return [*found, *not_on_the_hub(run, results), *beyond(run, asked(run, rates, sizes))]


def not_on_the_hub(run: Selection, results: Path) -> list[Finding]:
    """Checkpoints that the hub does not have; nothing where it does not answer or nobody is to look."""
    if os.environ.get(OFFLINE) or not reaches(hub()):
        return []
    revisions = read_lock(Path(LOCK))
    return list(unknown(run, Hub(hub(), status, partial(fetched, results), revisions, bool(get_token()))))


def surroundings(results: Path, slurm: bool, fits: Fits) -> Surroundings:
    """What is around a run whose results lie in ``results``; only one that goes to Slurm asks it anything."""
    there = next(folder for folder in (results, *results.absolute().parents) if folder.exists())
    here = partial(fetched, results)
    return Surroundings(partitions() if slurm else None, asked_for, here, free_gb(there), fits, hub(), slurm)


def fetched(results: Path, name: str) -> bool:
    """Whether a checkpoint lies in the results."""
    return (results / "models" / name / "model.json").exists()


def hub() -> str:
    """The hub, or the mirror that HF_ENDPOINT names for the jobs that fetch."""
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or HUB


def free_gb(folder: Path) -> float:
    """Room on the disk of a folder."""
    return shutil.disk_usage(folder).free / 1e9


def partitions() -> dict[str, dict[str, int]] | None:
    """Partitions that Slurm knows, with what each allows; None where there is no Slurm, or none that answers.

    Nodes of one partition may differ: a job needs one with enough, so the largest counts.
    """
    told = asked_of_slurm("sinfo", "-h", "-o", "%R|%l|%m|%G")
    if told is None:
        return None
    found: dict[str, dict[str, int]] = {}
    for name, time, memory, gres in (line.split("|") for line in told.split("\n") if line.count("|") == 3):
        limits = found.setdefault(name, {})
        most = {"max_runtime": minutes(time), "max_mem_mb": int(memory.rstrip("+")), "max_gpu": gpus(gres)}
        limits |= {key: max(limits.get(key, 0), value) for key, value in most.items() if value is not None}
    return found


def minutes(time: str) -> int | None:
    """Minutes of a limit as sinfo prints it, ``[days-][hours:]minutes:seconds``; None for none."""
    if not re.fullmatch(r"(\d+-)?(\d+:){1,2}\d+", time):
        return None
    days, _, clock = time.rpartition("-")
    hours, full, _ = f"0:{clock}".split(":")[-3:]
    return int(days or 0) * 1440 + int(hours) * 60 + int(full)


def asked_for(address: str) -> bool:
    """Whether a server answers; taken for granted where nobody is to look."""
    return bool(os.environ.get(OFFLINE)) or reaches(address)


@cache
def reaches(address: str) -> bool:
    """Whether a server answers, whatever it says."""
    return status(address) is not None


def status(address: str) -> int | None:
    """The HTTP status by which an address answers; None where it does not."""
    try:
        with urlopen(Request(address, method="HEAD"), timeout=SECONDS) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code
    except OSError:
        return None
