"""What a script does around its work: parameters, log, and what reaches the terminal when it fails."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from discobench.errors import full_disk
from discobench.files import read_json, read_text, write_json, write_text
from discobench.operations import tries
from scripts.job import _begun
from tests.conftest import ROOT, environment, snakemake

SCRIPT = """\
import subprocess, sys
sys.path.insert(0, {root!r})
from scripts.job import job
from discobench import errors
from discobench.errors import DiscoError
from discobench.operations import tries

if __name__ == "__main__":
    with job(globals()) as j:
        print("first words")
        subprocess.run(["sh", "-c", "echo a child speaks >&2"], check=True)
        {body}
        j.output.data.write_text(f"{{j.params.seed}} {{j.threads}}", "utf-8")
"""
RULES = """\
rule work:
    output: data="out.txt"
    log: "logs/work.log"
    threads: 1
    params: seed=7, names=["a", "b"], limits=lambda wc: {"zh": 1}
    script: "work.py"
"""


def script(folder: Path, body: str = "pass") -> Path:
    write_text(folder / "work.py", SCRIPT.format(root=str(ROOT), body=body))
    return folder / "work.py"


def spec_of(folder: Path) -> Path:
    """The parameters of a job with two threads."""
    spec = {"input": {}, "output": {"data": str(folder / "out.txt")}, "params": {"seed": 7}, "wildcards": {}}
    write_json(
        folder / "job.json", spec | {"resources": {}, "threads": 2, "log": str(folder / "a.log"), "rule": "work"}
    )
    return folder / "job.json"


def alone(folder: Path, body: str = "pass") -> subprocess.CompletedProcess[str]:
    """Run the script without Snakemake, from the parameters of a job."""
    command = [sys.executable, str(script(folder, body)), str(spec_of(folder))]
    return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, env=environment())


def test_a_job_runs_alone_from_its_parameters(tmp_path: Path):
    ran = alone(tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert read_text(tmp_path / "out.txt") == "7 2"
    assert "first words" in read_text(tmp_path / "a.log")
    assert "a child speaks" in read_text(tmp_path / "a.log")


def test_the_parameters_stay_in_the_order_of_the_rule(tmp_path: Path):
    _begun(tmp_path / "a.log", {"params": {"si": 1, "mrc": 2}}, injected=True)
    assert list(read_json(tmp_path / "a.job.json")["params"]) == ["si", "mrc"]


def test_a_job_says_what_it_cost_once_it_is_done(tmp_path: Path):
    body = "import subprocess, time; subprocess.run([sys.executable, '-c', 'sum(range(10 ** 7))']); time.sleep(0.2)"
    assert alone(tmp_path, "raise ValueError").returncode == 1
    assert not (tmp_path / "a.cost.json").exists()
    assert alone(tmp_path, body).returncode == 0
    cost = read_json(tmp_path / "a.cost.json")
    assert 0 < cost["failed_s"] < cost["wall_s"] + 60  # those of the try before
    assert tries.read(tmp_path / "a.log") is None
    assert set(cost) == {"cpu_s", "wall_s", "peak_mb", "machine", "gpus", "warnings", "failed_s"}
    assert cost["cpu_s"] > 0.05
    assert cost["wall_s"] > 0.2
    assert 5 < cost["peak_mb"] < 5000


@pytest.mark.parametrize("kind", ["DiscoError", "FinalError"])
def test_a_try_that_failed_says_whether_another_one_would_help(tmp_path: Path, kind: str):
    assert alone(tmp_path, f'raise errors.{kind}("mend it.")').returncode == 1
    last = tries.read(tmp_path / "a.log")
    assert last and last.final == (kind == "FinalError") and not last.owner.lives
    assert alone(tmp_path, "print(tries.read(j.log).final)").returncode == 0
    assert read_text(tmp_path / "a.log").endswith("False\n")


def test_a_fault_of_the_user_is_one_sentence(tmp_path: Path):
    ran = alone(tmp_path, 'raise DiscoError("x.jsonl, line 3 holds list; mend it.")')
    assert ran.returncode == 1
    sentence, where = ran.stderr.strip().split("\n")
    assert sentence == "x.jsonl, line 3 holds list; mend it."
    assert where == f"The whole log: {tmp_path / 'a.log'}"
    assert "x.jsonl, line 3" in read_text(tmp_path / "a.log")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("raise OSError(28, 'a library has its own words')", "cannot be opened or written (No space left on device)"),
        ("raise PermissionError(13, 'no', 'a.txt')", "a.txt cannot be opened or written (Permission denied); get the"),
    ],
)
def test_a_fault_of_the_machine_is_one_sentence(tmp_path: Path, body: str, sentence: str):
    ran = alone(tmp_path, body)
    assert ran.returncode == 1
    assert sentence in ran.stderr and len(ran.stderr.strip().split("\n")) == 2
    assert sentence in read_text(tmp_path / "a.log")


def test_a_full_disk_is_known_whatever_a_library_says_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert full_disk(tmp_path / "a/b") is None
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=5000 if path == tmp_path else 10**9))
    assert str(full_disk(tmp_path / "a/b")).startswith(f"the disk of {tmp_path / 'a/b'} is full; make room")


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path: Path):
    (tmp_path / "a.log").mkdir()
    ran = alone(tmp_path)
    assert ran.returncode == 1
    assert ran.stderr.strip().split("\n")[0].startswith(f"{tmp_path / 'a.log'} cannot be written (Is a directory)")
    assert not (tmp_path / "out.txt").exists()


def test_a_job_keeps_to_its_threads(tmp_path: Path):
    assert alone(tmp_path, "import os; print('threads:', os.environ['OMP_NUM_THREADS'])").returncode == 0
    assert "threads: 2" in read_text(tmp_path / "a.log")


@pytest.mark.torch
@pytest.mark.slow
def test_torch_keeps_to_the_threads_of_a_job(tmp_path: Path):
    path = script(tmp_path, "print('threads:', torch.get_num_threads())")
    write_text(path, "import torch\n" + read_text(path))
    assert subprocess.run([sys.executable, str(path), str(spec_of(tmp_path))], cwd=ROOT).returncode == 0
    assert "threads: 2" in read_text(tmp_path / "a.log")


def test_any_other_fault_shows_the_end_of_the_log_and_where_it_is(tmp_path: Path):
    ran = alone(tmp_path, "print(chr(10).join(map(str, range(99)))); 1 / 0")
    assert ran.returncode == 1
    assert "ZeroDivisionError" in ran.stderr
    assert ran.stderr.strip().endswith(f"The whole log: {tmp_path / 'a.log'}")
    assert len(ran.stderr.strip().split("\n")) <= 20
    assert "first words" not in ran.stderr


@pytest.mark.slow
def test_under_snakemake_the_parameters_are_kept_for_a_debugger(tmp_path: Path):
    write_text(tmp_path / "Snakefile", RULES)
    path = script(tmp_path)
    ran = snakemake(tmp_path, "--cores", "1", "work")
    assert ran.returncode == 0, ran.stdout
    spec = read_json(tmp_path / "logs/work.job.json")
    assert spec["params"] == {"seed": 7, "names": ["a", "b"], "limits": {"zh": 1}}
    (tmp_path / "out.txt").unlink()
    again = [sys.executable, str(path), "logs/work.job.json"]
    assert subprocess.run(again, cwd=tmp_path, env=environment() | {"PYTHONPATH": str(ROOT)}).returncode == 0
    assert read_text(tmp_path / "out.txt") == "7 1"


@pytest.mark.slow
def test_under_snakemake_a_failing_job_leaves_no_output(tmp_path: Path):
    write_text(tmp_path / "Snakefile", RULES)
    script(tmp_path, 'j.output.data.write_text("half", "utf-8"); raise DiscoError("it stopped here.")')
    ran = snakemake(tmp_path, "--cores", "1", "work")
    assert ran.returncode == 1
    assert "it stopped here." in ran.stdout
    assert "logs/work.log" in ran.stdout
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.slow
def test_under_snakemake_what_killed_tries_left_is_removed(tmp_path: Path):
    write_text(tmp_path / "Snakefile", RULES)
    body = "import os; from discobench.files import whole; half = whole(j.output.data); half.__enter__(); "
    script(tmp_path, body + "os.path.exists('again') or os._exit(9)")
    assert snakemake(tmp_path, "--cores", "1", "work").returncode == 1
    (left,) = tmp_path.glob(".out.txt.*")
    write_text(tmp_path / "again", "")
    assert snakemake(tmp_path, "--cores", "1", "work").returncode == 0
    assert not left.exists()
