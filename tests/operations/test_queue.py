"""Jobs of a command that is gone are found by their names, and ended."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from discobench.errors import DiscoError
from discobench.operations import queue
from discobench.operations.queue import Queued, code, end, known, left_behind, queued
from discobench.owners import this_process

UUID = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
ME = this_process()


def job(number: str, host: str, process: int, started: int) -> Queued:
    return Queued(number, "RUNNING", f"disco_{host}_{process}_{started}_{UUID}", "rule_finetune", Path())


def test_jobs_of_a_process_that_is_gone_are_left_behind():
    own = job("1", code(ME.host), ME.process, ME.started)
    gone = job("2", code(ME.host), ME.process, ME.started + 1)
    other = Queued("3", "RUNNING", UUID, "rule_build", Path())
    assert left_behind([own, gone, other]) == [gone]


def test_nobody_sees_from_here_whether_a_command_elsewhere_is_gone():
    with pytest.raises(
        DiscoError, match=r"jobs 4 5 of this folder belong to a command on another machine; .* `scancel 4 5` and"
    ):
        left_behind([job("4", code("login9"), 7, 1), job("5", code("login9"), 7, 1)])


def test_machines_whose_long_names_begin_alike_are_two(monkeypatch: pytest.MonkeyPatch):
    """A process number of the one says nothing on the other: the job of its command, which may live, is none's."""
    one, two = "supercomputer-login-01.example.org", "supercomputer-login-02.example.org"
    gone, alive = (job(number, code(host), ME.process, ME.started + 1) for number, host in (("6", one), ("7", two)))
    monkeypatch.setattr(queue, "this_process", lambda: replace(ME, host=one))
    assert left_behind([gone]) == [gone]
    with pytest.raises(DiscoError, match="jobs 7 of this folder belong to a command on another machine"):
        left_behind([gone, alive])


def client(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{body}\n", "utf-8")
    path.chmod(0o755)


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Clients of a Slurm that has two jobs, one of this folder, until they are cancelled."""
    lines = f"12|RUNNING|{UUID}|rule_a|b|{tmp_path}\n13|PENDING|{UUID}|x|/elsewhere\n"
    client(tmp_path, "squeue", f"import pathlib\nprint('' if pathlib.Path('gone').exists() else {lines!r}, end='')")
    client(tmp_path, "scancel", "import pathlib, sys\npathlib.Path('gone').write_text(' '.join(sys.argv[1:]))")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_only_jobs_of_the_folder_are_its_own(slurm: Path):
    assert queued(slurm) == [Queued("12", "RUNNING", UUID, "rule_a|b", slurm)]


def test_jobs_are_cancelled_and_waited_for(slurm: Path, monkeypatch: pytest.MonkeyPatch):
    end(queued(slurm) or [], slurm)
    assert (slurm / "gone").read_text("utf-8") == "12" and queued(slurm) == []
    (slurm / "gone").unlink()
    client(slurm, "scancel", "")
    monkeypatch.setattr(queue, "GOING", 0.0)
    with pytest.raises(DiscoError, match="jobs 12 do not end; see `squeue -j 12`"):
        end(queued(slurm) or [], slurm)


def test_jobs_are_not_gone_while_slurm_is_silent(slurm: Path, monkeypatch: pytest.MonkeyPatch):
    jobs = queued(slurm) or []
    monkeypatch.setattr(queue, "STEP", 0.0)
    answers = iter([jobs, None, None, jobs, []])
    monkeypatch.setattr(queue, "queued", lambda folder: next(answers))
    end(jobs, slurm)
    assert list(answers) == []


def test_jobs_that_slurm_does_not_cancel_are_named(slurm: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(queue, "PAUSE", 0.0)
    asked = "import pathlib\nwith pathlib.Path('asked').open('a') as s: s.write('x')\nraise SystemExit(1)"
    client(slurm, "scancel", asked)
    jobs = queued(slurm) or []
    with pytest.raises(DiscoError, match="`scancel 12` fails"):
        end(jobs, slurm)
    assert (slurm / "asked").read_text("utf-8") == "xxx"
    answers = iter([[replace(jobs[0], state="COMPLETING")], []])
    monkeypatch.setattr(queue, "queued", lambda folder: next(answers))
    end(jobs, slurm)  # what ends already is not to be cancelled
    assert (slurm / "asked").read_text("utf-8") == "xxx"


def test_a_command_that_would_meet_jobs_of_slurm_asks_until_it_answers(slurm: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(queue, "PAUSE", 0.0)
    job_of_folder = queued(slurm)
    again = "import pathlib, runpy\nif not pathlib.Path('busy').exists():\n    pathlib.Path('busy').touch()\n"
    (slurm / "squeue").rename(slurm / "answer")
    client(slurm, "squeue", again + "    raise SystemExit(1)\nrunpy.run_path('answer')")
    assert known(slurm) == job_of_folder
    client(slurm, "squeue", "raise SystemExit(1)")
    with pytest.raises(DiscoError, match="Slurm does not answer"):
        known(slurm)
    monkeypatch.setenv("PATH", "")
    assert known(slurm) == []


def test_a_slurm_that_does_not_answer_has_no_jobs_to_tell_of(slurm: Path, monkeypatch: pytest.MonkeyPatch):
    client(slurm, "squeue", "raise SystemExit(1)")
    assert queued(slurm) is None
    client(slurm, "squeue", "import time\ntime.sleep(30)")
    monkeypatch.setattr(queue, "PATIENCE", 0.1)
    assert queued(slurm) is None
    monkeypatch.setenv("PATH", "")
    assert queued(slurm) is None


def test_the_profile_names_jobs_so_that_they_are_found():
    """The name is worked out by the profile, in the process that submits."""
    script = (
        "import os, yte, pathlib\n"
        "p = yte.process_yaml(pathlib.Path('profiles/slurm/config.yaml').read_text('utf-8'))\n"
        "print(p['slurm-jobname-prefix'], os.getpid())"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    name, process = ran.stdout.split()
    command = Queued("1", "RUNNING", f"{name}_{UUID}", "", Path()).command
    assert len(name) <= 50 and command and command.process == int(process)
    assert command.host == code(ME.host) and not command.lives
