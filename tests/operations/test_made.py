"""What a job leaves of how its outputs came about."""

import json
import subprocess
from pathlib import Path

import pytest

from discobench.files import sha256, write_json, write_text
from discobench.operations import made
from tests.test_job import alone, spec_of

COST = {"wall_s": 2.0, "cpu_s": 1.5, "peak_mb": 90}


@pytest.mark.parametrize(
    ("log", "where"),
    [
        ("logs/demo/score/nt/copy/seed-1/score.log", "results/demo/benchmarks/score/nt/copy/seed-1/score.made.json"),
        ("logs/work.log", "logs/work.made.json"),
        ("/tmp/a.log", "/tmp/a.made.json"),
    ],
)
def test_a_record_stays_with_the_results(log: str, where: str) -> None:
    assert made.place(Path(log)) == Path(where)


def test_a_record_names_settings_inputs_outputs_and_code(tmp_path: Path) -> None:
    write_text(tmp_path / "small.json", "{}")
    (tmp_path / "large.bin").write_bytes(bytes(made.SMALL + 1))
    paths = [str(tmp_path / name) for name in ("small.json", "large.bin")]
    spec = {"rule": "score", "params": {"seed": 7}, "wildcards": {"task": "nt"}, "threads": 1}
    found = made.record(spec | {"input": {"data": paths}, "output": {"a": "x", "b": ["y", "z"]}}, COST, "vm")
    assert found["inputs"] == {paths[0]: sha256(tmp_path / "small.json"), paths[1]: None}
    assert found["outputs"] == ["x", "y", "z"] and found["settings"] == {"seed": 7}
    assert found["code"] == made.code() and found["wall_s"] == 2.0


def test_the_code_has_a_digest_that_an_edit_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(tmp_path / "discobench/a.py", "one")
    monkeypatch.setattr(made, "ROOT", tmp_path)
    monkeypatch.setattr(made, "code", made.code.__wrapped__)
    before = made.code()
    assert before == made.code() and before["commit"] == "not a git checkout"
    write_text(tmp_path / "discobench/a.py", "two")
    assert made.code()["sha256"] != before["sha256"]


def test_the_commit_tells_whether_files_differ_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(tmp_path / "Snakefile", "one")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    monkeypatch.setattr(made, "ROOT", tmp_path)
    clean = made.code.__wrapped__()["commit"]
    assert len(clean) == 40
    write_text(tmp_path / "Snakefile", "two")
    assert made.code.__wrapped__()["commit"] == f"{clean}+"


def test_records_are_found_by_the_outputs_of_their_jobs(tmp_path: Path) -> None:
    one, other = ({"version": "1", "commit": commit, "sha256": commit * 2} for commit in "ab")
    outputs = ["results/demo/score/nt/x/scores.json", "results/demo/score/nt/x/instances.parquet"]
    write_json(tmp_path / "benchmarks/score/nt.made.json", {"code": one, "outputs": outputs})
    write_json(tmp_path / "benchmarks/score/pt.made.json", {"code": other, "outputs": ["results/demo/score/pt.json"]})
    found = made.records(tmp_path)
    assert found["score/nt/x/instances.parquet"][0] == "benchmarks/score/nt.made.json"
    assert made.code_of_jobs(tmp_path) == [
        ("code of 1 jobs", "commit a, sha256 aa"),
        ("code of 1 jobs", "commit b, sha256 bb"),
    ]


def test_a_job_leaves_its_record_once_it_is_done(tmp_path: Path) -> None:
    assert alone(tmp_path, "raise ValueError").returncode == 1
    assert not (tmp_path / "a.made.json").exists()
    assert alone(tmp_path).returncode == 0
    found = json.loads((tmp_path / "a.made.json").read_text("utf-8"))
    assert found["rule"] == "work" and found["outputs"] == [str(tmp_path / "out.txt")]
    assert found["settings"] == json.loads(spec_of(tmp_path).read_text("utf-8"))["params"]
    assert len(found["code"]["sha256"]) == 64 and found["machine"] and "Python" in found["packages"]
