"""What Snakemake itself costs: planning the paper, and the time of a job that is not the job's own work.

``python -m benchmarks.workflow`` plans the paper on a checkout without data, runs preset mini on two cores, and where
Slurm is installed once more through a cluster of virtual nodes on this machine.
"""

import argparse
import os
import re
import resource
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from discobench.files import read_json, read_text, write_json
from discobench.operations.tables import table
from tests.conftest import NEEDS, copy_of_repository, snakemake
from tests.workflow.cluster import Cluster

SECONDS, JOBS = 20, 2000
"""Goals for the plan of the paper."""
OUT = Path("results/bench/workflow.json")


def planning(folder: Path) -> dict[str, float]:
    """Jobs, seconds on the clock and of a CPU, and the largest memory (MB) of a plan of the paper."""
    root = copy_of_repository(folder / "plan")
    since = time.monotonic()
    ran = snakemake(root, "--profile", "slurm", "-n", "all", timeout=300)
    seconds = time.monotonic() - since
    jobs = int(re.findall(r"^total\s+(\d+)", ran.stdout, re.MULTILINE)[-1])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # of this one process: nothing ran before
    return {
        "jobs": jobs,
        "seconds": seconds,
        "cpu_s": used.ru_utime + used.ru_stime,
        "memory_mb": used.ru_maxrss / 1024,
    }


def overhead(root: Path, seconds: float, cores: int) -> dict[str, float]:
    """What of a run was not the jobs' own work: seconds a job, and the share of the cores' time."""
    work = [read_json(path)["wall_s"] for path in (root / "logs").rglob("*.cost.json")]
    whole = seconds * cores
    lost = whole - sum(work)
    return {"jobs": len(work), "seconds": seconds, "work": sum(work), "each": lost / len(work), "share": lost / whole}


def finished(root: Path) -> dict[str, float]:
    """The overhead of a run that is over: the only command that ran in a checkout, by what Snakemake says of it."""
    (log,) = (root / ".snakemake/log").glob("*.log")
    text = read_text(log)
    cores = int(re.findall(r"^Provided cores: (\d+)", text, re.MULTILINE)[0])
    hours, minutes, seconds = re.findall(r"^Elapsed time: (\d+):(\d+):([\d.]+)", text, re.MULTILINE)[-1]
    return overhead(root, int(hours) * 3600 + int(minutes) * 60 + float(seconds), cores)


def timed(run: Callable[[], Any], root: Path, cores: int) -> dict[str, float]:
    """The overhead of a run that ends well."""
    since = time.monotonic()
    ran = run()
    assert ran.returncode == 0, ran.stdout[-3000:]
    return overhead(root, time.monotonic() - since, cores)


def local(folder: Path, preset: str) -> dict[str, float]:
    """A preset on two cores."""
    root = copy_of_repository(folder / preset)
    command = ["--profile", "profiles/demo", "--config", f"preset={preset}", "--", "all"]
    return timed(lambda: snakemake(root, *command, timeout=3000), root, 2)


def slurm(folder: Path) -> dict[str, float]:
    """Preset mini through a cluster of virtual nodes."""
    with tempfile.TemporaryDirectory(prefix="slurm-") as place:
        cluster = Cluster(Path(place))
        cluster.start()
        try:
            root = cluster.describe(copy_of_repository(folder / "slurm"))
            wanted = ("--config", "preset=mini", "--", "all")
            return timed(lambda: cluster.run(root, *wanted, timeout=900), root, os.cpu_count() or 1)
        finally:
            cluster.stop()


def shown(runs: Mapping[str, Mapping[str, float]]) -> str:
    """The runs as a table."""
    heads = ["run", "jobs", "wall, s", "work, s", "other core-seconds a job", "their share"]
    text = "Work is what jobs do themselves; the rest is Python's start, Snakemake, and cores that wait.\n"
    return text + table(heads, [[name, *run.values()] for name, run in runs.items()])


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--preset", default="mini", help="what runs on two cores (demo: half an hour); paper: only planned"
    )
    parser.add_argument("--finished", type=Path, help="a checkout in which one run is over: only its jobs are counted")
    preset, over = (found := parser.parse_args()).preset, found.finished
    if over:
        print(shown({str(over): finished(over)}))
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        plan = planning(folder)
        runs = {f"{preset}, two cores": local(folder, preset)} if preset != "paper" else {}
        runs |= {"mini, Slurm on this machine": slurm(folder)} if runs and NEEDS["slurm"][0]() else {}
    write_json(OUT, {"plan": plan, "runs": runs})
    met = plan["seconds"] < SECONDS and plan["jobs"] < JOBS
    took = f"{plan['seconds']:.1f} s ({plan['cpu_s']:.1f} of a CPU) with {plan['memory_mb']:.0f} MB"
    print(f"The paper: {plan['jobs']:.0f} jobs planned in {took};", end=" ")
    print(f"goal (under {SECONDS} s and {JOBS} jobs) {'met' if met else 'MISSED'}.")
    if runs:
        print(shown(runs))


if __name__ == "__main__":
    main()
