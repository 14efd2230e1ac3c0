"""Every rule says where it logs, how long it may take and what it needs."""

import re
from pathlib import Path

import pytest
import yaml
import yte

from tests.conftest import ROOT

FILES = [path for path in sorted((ROOT / "rules").glob("*.smk")) if path.stem not in ("common", "targets")]


def rules() -> list[tuple[str, str]]:
    """Name and body of every rule; one in a loop has the name of a run whose jobs stand alone."""
    found = []
    for path in FILES:
        parts = re.split(r"^( *)rule ?(\w*):\n", path.read_text("utf-8"), flags=re.MULTILINE)
        for indent, name, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            body = re.match(rf"(?:(?:{indent} {{4}}.*)?\n)*", text)[0]
            named = name or re.match(r"\s+name:\n\s+f\"(\w+)", body)[1]
            found.append((named, re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)))
    return found


RULES = rules()
NEEDED = {
    "log": r"^    log:\n        (f\"\{LOG\}/|\w+_log\()",
    "benchmark": r"^    benchmark:\n        f\"\{TIME\}/.*\.tsv\"",
    "environment": r"^    conda:",
    "threads": r"^    threads: ",
}


@pytest.mark.parametrize("name", NEEDED)
def test_every_rule_has(name: str):
    assert [rule for rule, body in RULES if not re.search(NEEDED[name], body, re.MULTILINE)] == []


def test_names_of_rules_are_used_once():
    names = [rule for rule, _ in RULES]
    assert len(names) == len(set(names))


def test_the_plan_never_changes_while_it_runs():
    """With Snakemake's checkpoints jobs ran twice or the run ended early: shards are counted in the configuration."""
    checkpoint = re.compile(r"^ *checkpoint ?\w*:\n", re.MULTILINE)
    assert [path.name for path in FILES if checkpoint.search(path.read_text("utf-8"))] == []


def test_every_rule_asks_for_what_the_table_says_of_it():
    table = yaml.safe_load((ROOT / "resources/jobs.yaml").read_text("utf-8"))
    assert set(table) == {rule for rule, _ in RULES}
    assert [
        rule
        for rule, body in RULES
        if not re.search(rf'^ +\*\*(asks|trains|NEEDS\.of)\(\s*"{rule}"', body, re.MULTILINE)
    ] == []
    several = {rule for rule, entry in table.items() if "threads" in entry or "threads" in entry.get("gpu", {})}
    assert several == {rule for rule, body in RULES if f'threads: NEEDS.threads("{rule}", GPUS)' in body}
    assert several == {rule for rule, body in RULES if "    threads: 1\n" not in body}
    assert {rule for rule, body in RULES if "gpus=GPUS" in body} <= {rule for rule in table if "gpu" in table[rule]}


@pytest.mark.parametrize("profile", ["demo", "local", "slurm"])
def test_profiles_judge_by_time_parameters_and_input(profile: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    with (ROOT / f"profiles/{profile}/config.yaml").open(encoding="utf-8") as stream:
        values = yte.process_yaml(stream, require_use_yte=True)
    assert values["rerun-triggers"] == ["mtime", "params", "input"]
    assert values["rerun-incomplete"] is True
    assert not {"keep-incomplete", "ignore-incomplete"} & set(values)


def test_the_literal_profile_name_finds_the_slurm_profile():
    assert (ROOT / "slurm").is_symlink()
    assert (ROOT / "slurm").readlink() == Path("profiles/slurm")
