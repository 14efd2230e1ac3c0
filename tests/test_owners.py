"""A process is known by its number and by when it began."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from discobench.owners import end, started, this_process


def test_a_process_lives_until_its_end():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        owner = replace(this_process(), process=child.pid, started=started(child.pid) or 0)
        assert owner.here and owner.lives
        assert not replace(owner, started=owner.started - 1).lives  # one that had the number before
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not owner.lives  # though its parent has not taken note yet
    assert started(child.pid) is None


def test_who_it_is_is_told_with_the_job_of_a_cluster(monkeypatch: pytest.MonkeyPatch):
    for name in ("SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID"):
        monkeypatch.delenv(name, raising=False)
    alone = this_process()
    assert str(alone) == f"process {os.getpid()} on {alone.host}" and alone.job is None
    monkeypatch.setenv("PBS_JOBID", "17")
    assert str(this_process()).startswith("job 17 of the cluster, process ")


def test_processes_are_ended_and_where_they_do_not_end_killed():
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    mild = "import signal, time; print(flush=True); time.sleep(60)"
    children = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for code in (deaf, mild)]
    assert [child.stdout.readline() for child in children if child.stdout] == [b"\n", b"\n"]
    os.kill(children[1].pid, signal.SIGSTOP)
    gone = replace(this_process(), started=1)  # whoever has its number now is not touched
    owners = [replace(gone, process=child.pid, started=started(child.pid) or 0) for child in children]
    end([*owners, gone], 0.3)
    assert [child.wait() for child in children] == [-signal.SIGKILL, -signal.SIGTERM]


def test_a_name_with_blanks_and_brackets_hides_nothing(tmp_path):
    program = tmp_path / "odd) S 1 (name"
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "60"]) as child:
        found = started(child.pid)
        assert found and abs(found - (started(os.getpid()) or 0)) < 10**6
        child.kill()
