"""Reading what ``snakemake -n`` says it would do."""

import re
from collections import Counter
from pathlib import Path

from tests.conftest import snakemake

JOB = re.compile(r"^(?:local)?rule (\w+):\n((?:    .*\n)*)", re.MULTILINE)
FIELD = re.compile(r"^    (\w+): (.*)$", re.MULTILINE)

Job = tuple[str, dict[str, str]]


def jobs(output: str) -> list[Job]:
    """Every planned job: its rule and what is printed of it (input, wildcards, resources ...)."""
    return [(match[1], dict(FIELD.findall(match[2]))) for match in JOB.finditer(output)]


def plan(folder: Path, *arguments: str, timeout: int = 90) -> list[Job]:
    """The jobs that the real command would run in ``folder``."""
    ran = snakemake(folder, "-n", *arguments, timeout=timeout)
    assert ran.returncode == 0, ran.stdout[-4000:]
    return jobs(ran.stdout)


def kind(rule: str) -> str:
    """``finetune`` or ``decode`` for the rule of one row whose tasks share a process; any other as it is."""
    return rule if rule in ("decode_baseline", "decode_llm") else re.sub(r"^(finetune|decode)_\w+$", r"\1", rule)


def counts(planned: list[Job]) -> Counter[str]:
    """How many jobs each kind of rule has, targets left out."""
    return Counter(kind(rule) for rule, shown in planned if "output" in shown)


def cells(planned: list[Job]) -> set[str]:
    """Jobs as ``rule task`` (or whatever its first wildcard is), targets left out."""
    return {" ".join([rule, *wildcards(shown)[:1]]) for rule, shown in planned if "output" in shown}


def named(planned: list[Job]) -> set[str]:
    """Jobs as ``rule wildcard/wildcard``, without their seed; targets left out."""
    return {
        " ".join(filter(None, [rule, "/".join(wildcards(shown, "seed"))]))
        for rule, shown in planned
        if "output" in shown
    }


def wildcards(shown: dict[str, str], *left_out: str) -> list[str]:
    pairs = [pair.split("=", 1) for pair in shown.get("wildcards", "").split(", ") if "=" in pair]
    return [value for name, value in pairs if name not in left_out]


def described(jobs: set[str]) -> set[str]:
    """The descriptive tables and the figures that follow from some jobs of the demo."""
    rules = {job.split(" ")[0] for job in jobs}
    found = {
        "facts 5": "statistics" in rules,
        "facts 6": bool(rules & {"initialise", "pretrain_checkpoint"}),
        "facts 15": "pretrain_checkpoint" in rules,
        "figure a": "table 7" in jobs,
        "figure b": "table 11" in jobs,
    }
    return {name for name, follows in found.items() if follows}
