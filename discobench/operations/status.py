"""How far a run is, by what lies in its folder, and what a finished one says of itself."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from discobench.files import open_text, read_json
from discobench.operations.marks import Making
from discobench.operations.tables import table
from discobench.progress import clock

SILENT = "Slurm does not answer, and its machine is another one"
SHOWN = 20
"""Warnings that a summary repeats."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of a stage: those that are there, those being made, those whose jobs wait in a queue, and the rest.

    ``unknown`` are those of jobs of which nobody tells here.
    """

    stage: str
    done: int
    running: int
    waiting: int
    missing: int
    unknown: int = 0


def tallies(expected: Mapping[str, Sequence[str]], made: Mapping[str, Making]) -> list[Tally]:
    """A tally for each stage of ``expected`` results; ``made`` says how those are whose jobs have begun."""
    found = []
    for stage, paths in expected.items():
        states = Counter(made[path].state for path in {*paths} & {*made})
        done = sum(path not in made and Path(path).exists() for path in {*paths})
        missing = len({*paths}) - done - states["running"] - states["waiting"] - states["unknown"]
        found.append(Tally(stage, done, states["running"], states["waiting"], missing, states["unknown"]))
    return [tally for tally in found if sum(astuple(tally)[1:])]


def status_text(
    expected: Mapping[str, Sequence[str]], made: Mapping[str, Making], failures: Iterable[Path] = ()
) -> str:
    """A table of the stages, and the last line of the log of each job that runs, was stopped or failed."""
    lines = [
        table(
            ["stage", "done", "running", "waiting", "missing", "unknown"],
            [[*astuple(t)] for t in tallies(expected, made)],
        )
    ]
    logs = sorted({(one.state, one.log) for one in made.values() if one.log and one.log.exists()})
    lines += ["", *(f"{log}: {last_line(log)}" for state, log in logs if state == "running")]
    lines += [f"stopped before its end: {log}: {last_line(log)}" for state, log in logs if state == "stopped"]
    lines += [f"{SILENT}: {log}: {last_line(log)}" for state, log in logs if state == "unknown"]
    lines += [f"failed when it was last tried: {log}: {last_line(log)}" for log in failures]
    return "\n".join(lines).rstrip("\n") + "\n"


def last_line(log: Path) -> str:
    """What a job said last."""
    return log.read_text("utf-8", errors="backslashreplace").rstrip("\n").split("\n")[-1]


def summary(ran: Counter[str], left: Counter[str], reused: int, seconds: float, facts: Sequence[str]) -> str:
    """What a run did: jobs of each rule that ran, those that failed or were left, and ``facts`` below."""
    lines = [f"{ran.total()} jobs ran and {reused} results were there already, in {clock(seconds)}.", _counted(ran)]
    if left:
        lines.append(
            f"{left.total()} jobs failed or were not begun: {_counted(left)}. The same command goes on from here."
        )
    return "\n".join(filter(None, [*lines, *facts]))


def _counted(jobs: Counter[str]) -> str:
    return ", ".join(f"{rule} {count}" for rule, count in jobs.items())


def facts(root: Path, logs: Path, since: float) -> list[str]:
    """Where tables and page of a run lie, cells that were not run, and warnings of what ran since a time."""
    found = [path for path in root.glob("tables/table*.csv") if path.suffixes == [".csv"]]
    tables = sorted(found, key=lambda path: (len(path.name), path.name))
    places = [f"Tables: {root / 'tables'} ({', '.join(path.stem for path in tables)})."] if tables else []
    places += [f"Page: {root / 'index.html'}."] if (root / "index.html").exists() else []
    absent = sum(_absent(path) for path in tables)
    said = f"{absent} cells of the tables were not run: the run lacks their row or task, or a model that scores them."
    places += [said] if absent else []
    told = warnings(root, logs, since)
    more = [f"… and {len(told) - SHOWN} more."] if len(told) > SHOWN else []
    return [*places, *(f"warning: {text}" for text in told[:SHOWN]), *more]


def warnings(root: Path, logs: Path, since: float) -> list[str]:
    """Warnings of jobs that ended since a time, and of the check for leaking test sets."""
    leaks = root / "tasks/leakage.json"
    costs = [path for path in sorted(logs.rglob("*.cost.json")) if path.stat().st_mtime >= since]
    found: Iterable[str] = (text for path in costs for text in read_json(path).get("warnings", []))
    return [*found, *(read_json(leaks)["warnings"] if leaks.exists() else [])]


def _absent(path: Path) -> int:
    with open_text(path) as stream:
        return sum(line["verdict"].startswith("not run") for line in csv.DictReader(stream))
