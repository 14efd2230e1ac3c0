"""How far a run is, and what it says of itself at its end."""

from collections import Counter
from pathlib import Path

import pytest

from discobench.files import write_json, write_text
from discobench.operations.marks import Making
from discobench.operations.status import Tally, facts, status_text, summary, tallies
from tests.conftest import snakemake


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run with one model done, one in training, one that was stopped, one in a queue and one to come."""
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path / "r/a.json", "{}")
    write_text(tmp_path / "r/b.json", "half")
    write_text(tmp_path / "l/b.log", "step 1\nstep 2/9, 0:00:07 left\n")
    write_text(tmp_path / "l/d.log", "step 3\n")
    return tmp_path


EXPECTED = {"finetune": [f"r/{name}.json" for name in "abcde"], "decode": []}
MADE = {
    "r/b.json": Making("running", Path("l/b.log")),
    "r/c.json": Making("waiting"),
    "r/d.json": Making("stopped", Path("l/d.log")),
}


def test_what_is_being_made_is_running_though_it_is_there(root: Path):
    assert tallies(EXPECTED, MADE) == [Tally("finetune", 1, 1, 1, 2)]


def test_jobs_that_have_begun_are_shown_with_the_last_lines_of_their_logs(root: Path):
    text = status_text(EXPECTED, MADE)
    assert "| 1 | 1 | 1 | 2 | 0 |" in " ".join(text.split())
    assert text.endswith("\nl/b.log: step 2/9, 0:00:07 left\nstopped before its end: l/d.log: step 3\n")
    assert status_text(EXPECTED, MADE, [Path("l/d.log")]).endswith("\nfailed when it was last tried: l/d.log: step 3\n")


def test_a_job_of_which_nobody_tells_is_neither_running_nor_missing(root: Path):
    made = MADE | {"r/b.json": Making("unknown", Path("l/b.log"))}
    assert tallies(EXPECTED, made) == [Tally("finetune", 1, 0, 1, 2, 1)]
    told = "\nSlurm does not answer, and its machine is another one: l/b.log: step 2/9, 0:00:07 left\n"
    assert status_text(EXPECTED, made).endswith(told)


def test_a_summary_counts_what_ran_what_was_there_and_what_is_left():
    text = summary(Counter(build=2, score=1), Counter(table=1), 7, 3725.0, ["Tables: here."])
    assert text.split("\n") == [
        "3 jobs ran and 7 results were there already, in 1 h 02 min.",
        "build 2, score 1",
        "1 jobs failed or were not begun: table 1. The same command goes on from here.",
        "Tables: here.",
    ]


def test_facts_are_places_absent_cells_and_warnings_of_this_run(tmp_path: Path):
    write_text(tmp_path / "r/tables/table10.csv", "verdict\nmatch\n")
    write_text(tmp_path / "r/tables/table7.pairs.csv", "table,task,metric,p\n7,si,f1,0.5\n")
    write_text(tmp_path / "r/tables/table7.csv", "verdict\nnot run (no key)\nnot run\nother scale\n")
    write_json(tmp_path / "r/tasks/leakage.json", {"warnings": ["nt leaks"]})
    write_json(tmp_path / "l/a.cost.json", {"warnings": [f"odd {n}" for n in range(30)]})
    found = facts(tmp_path / "r", tmp_path / "l", since=0.0)
    assert found[0].endswith("tables (table7, table10).") and found[1].startswith("2 cells of the tables were not run")
    assert found[2] == "warning: odd 0" and found[-1] == "… and 11 more." and len(found) == 23
    assert facts(tmp_path / "r", tmp_path / "l", since=2e12)[2:] == ["warning: nt leaks"]


@pytest.mark.slow
def test_the_command_says_what_is_there_and_what_is_not(repository: Path):
    target = "results/mini/tasks/nt/build.balance.json"
    made = snakemake(repository, "--profile", "profiles/demo", "--config", "preset=mini", "--", target, timeout=120)
    assert "1 jobs ran and 0 results were there already, in " in made.stdout and "\nbuild 1\n" in made.stdout
    asked = snakemake(repository, "--cores", "1", "--config", "preset=mini", "--", "status")
    assert asked.returncode == 0, asked.stdout
    lines = {
        line.split("|")[1].strip(): line.split("|")[2:6] for line in asked.stdout.split("\n") if line.startswith("|")
    }
    assert [cell.strip() for cell in lines["tasks"]] == ["1", "0", "0", "4"]
    assert [cell.strip() for cell in lines["finetune"]] == ["0", "0", "0", "5"]
    assert [cell.strip() for cell in lines["diagnose"]] == ["0", "0", "0", "1"]
    assert "jobs ran and" not in asked.stdout
    whole = snakemake(repository, "--cores", "1", "--config", "preset=demo", "--", "status")
    rows = [[cell.strip() for cell in line.split("|")] for line in whole.stdout.split("\n") if line.startswith("|")]
    counted = {row[1]: row[5] for row in rows}
    # One shard of text expansion, restored pronouns, and three that tell how good they are; six packed corpora of 15.
    assert (counted["synthesis"], counted["corpus"]) == ("5", "15")
