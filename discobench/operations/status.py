"""How far a run is, by what lies in its folder, and what a finished one says of itself."""

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from discobench.files import open_text, read_json
from discobench.operations.tables import table
from discobench.progress import clock

SHOWN = 20
"""Warnings that a summary repeats."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of a stage: those that are there, those being made, and the rest."""

    stage: str
    done: int
    running: int
    missing: int


def tallies(expected: Mapping[str, Sequence[str]], marked: Collection[str]) -> list[Tally]:
    """A tally for each stage of ``expected`` results; ``marked`` are those whose jobs have begun and not ended."""
    found = []
    for stage, paths in expected.items():
        running = {path for path in paths if path in marked}
        done = {path for path in paths if path not in running and Path(path).exists()}
        found.append(Tally(stage, len(done), len(running), len(set(paths)) - len(done) - len(running)))
    return [tally for tally in found if tally.done + tally.running + tally.missing]


def status_text(expected: Mapping[str, Sequence[str]], marked: Collection[str], logs: Path) -> str:
    """A table of the stages, and the last line of the log of each job that has begun."""
    rows = [[tally.stage, tally.done, tally.running, tally.missing] for tally in tallies(expected, marked)]
    lines = [table(["stage", "done", "running", "missing"], rows)]
    lines += ["", *(f"{log}: {said}" for log, said in begun(marked, logs))]
    return "\n".join(lines).rstrip("\n") + "\n"


def begun(marked: Collection[str], logs: Path) -> list[tuple[Path, str]]:
    """Log and last line of each job one of whose outputs is marked."""
    found = []
    for path in sorted(logs.rglob("*.job.json")):
        outputs = read_json(path)["output"].values()
        names = {name for output in outputs for name in ([output] if isinstance(output, str) else output)}
        log = path.with_name(path.name.removesuffix(".job.json") + ".log")
        if names & set(marked) and log.exists():
            found.append((log, log.read_text("utf-8", errors="backslashreplace").rstrip("\n").split("\n")[-1]))
    return found


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
    places += [f"{absent} cells of the tables were not run; each says why."] if absent else []
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
