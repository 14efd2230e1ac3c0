"""Whether a marked result is still being made."""

import base64
import os
import time
from pathlib import Path

import pytest

from discobench.files import write_json, write_text
from discobench.operations import tries
from discobench.operations.marks import Making, Mark, at_work, failed, making, marks, that_make
from discobench.operations.queue import Queued

RESULT, LOG = "r/b.json", Path("l/b.log")


@pytest.fixture(autouse=True)
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in which one job has written its parameters."""
    monkeypatch.chdir(tmp_path)
    write_json(Path("l/b.job.json"), {"output": {"model": ["r/x", RESULT], "other": "r/y"}})


def queue(**jobs: str) -> list[Queued]:
    return [Queued(name.removeprefix("n"), state, "", "", Path()) for name, state in jobs.items()]


def state(mark: Mark, jobs: list[Queued] | None = None) -> Making:
    return making([mark], Path("l"), jobs)[RESULT]


def test_marks_are_read_as_snakemake_writes_them(tmp_path: Path):
    code = base64.urlsafe_b64encode(b"results/mini/x.json").decode()
    write_json(tmp_path / "m/@part" / code, {"external_jobid": "12"})
    write_text(tmp_path / "m" / base64.urlsafe_b64encode(b"y").decode(), '{"external_jobid": null')
    (tmp_path / "m/@part" / code).rename(tmp_path / "m" / code)
    (found,) = marks(tmp_path / "m")
    assert (found.result, found.job) == ("results/mini/x.json", "12") and abs(found.since - time.time()) < 60
    assert list(marks(tmp_path / "none")) == []


def test_a_process_that_lives_runs_and_a_dead_one_was_stopped(monkeypatch: pytest.MonkeyPatch):
    mark = Mark(RESULT, time.time() - 1)
    tries.begin(LOG)
    assert state(mark) == Making("running", LOG)
    child = os.fork()
    if not child:
        tries.begin(LOG)
        os._exit(0)
    os.waitpid(child, 0)
    assert state(mark) == Making("stopped", LOG)


def test_a_job_that_says_nothing_of_itself_has_a_minute_to_begin():
    tries.begin(LOG)  # as an earlier try did
    assert state(Mark(RESULT, time.time() + 10)).state == "running"
    assert (
        making([Mark(RESULT, time.time() + 10)], Path("l"), None, lambda: time.time() + 100)[RESULT].state == "stopped"
    )
    assert state(Mark("r/b.json", time.time() - 100)).state == "running"


@pytest.mark.parametrize(
    ("jobs", "found"),
    [
        (queue(n12="PENDING"), "waiting"),
        (queue(n12="RUNNING"), "running"),
        (queue(n12="COMPLETING", n9="RUNNING"), "running"),
        (queue(n9="RUNNING"), "stopped"),
        ([], "stopped"),
    ],
)
def test_a_job_of_slurm_is_what_slurm_says(monkeypatch: pytest.MonkeyPatch, jobs: list[Queued], found: str):
    assert state(Mark(RESULT, time.time(), "12"), jobs).state == found
    monkeypatch.setenv("SLURM_JOB_ID", "12")
    tries.begin(LOG)
    assert state(Mark(RESULT, time.time() - 1), jobs) == Making(found, LOG)


@pytest.mark.parametrize(("host", "found"), [("here", "running"), ("elsewhere", "unknown")])
def test_while_slurm_is_silent_a_job_is_known_by_its_process_alone(
    monkeypatch: pytest.MonkeyPatch, host: str, found: str
):
    assert state(Mark(RESULT, time.time(), "12"), None).state == "unknown"
    monkeypatch.setenv("SLURM_JOB_ID", "12")
    with monkeypatch.context() as there:
        if host == "elsewhere":
            there.setattr("socket.gethostname", lambda: "c7")
        tries.begin(LOG)
    assert state(Mark(RESULT, time.time() - 1), None) == Making(found, LOG)


def test_a_job_of_another_machine_that_is_in_no_queue_is_not_known(monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as there:
        there.setattr("socket.gethostname", lambda: "c7")
        tries.begin(LOG)
    assert state(Mark(RESULT, time.time() - 1), []) == Making("unknown", LOG)


def test_processes_that_make_a_result_of_this_machine_are_found(monkeypatch: pytest.MonkeyPatch):
    tries.begin(LOG)
    assert list(at_work({RESULT, "r/z"}, Path("l"))) == [LOG] and at_work({"r/z"}, Path("l")) == {}
    monkeypatch.setenv("SLURM_JOB_ID", "12")
    tries.begin(LOG)
    assert at_work({RESULT}, Path("l")) == {}


def test_jobs_of_slurm_are_those_that_make_a_result_wanted(monkeypatch: pytest.MonkeyPatch):
    """Whether they run, and have noted who they are, or wait, and have their number in a mark."""
    jobs = queue(n12="RUNNING", n13="PENDING", n14="RUNNING")
    running, waiting, unknown = jobs
    monkeypatch.setenv("SLURM_JOB_ID", "12")
    tries.begin(LOG)
    marked = [Mark("r/p", 0.0, "13"), Mark("r/q", 0.0)]
    wanted = {RESULT: [running], "r/y": [running], "r/p": [waiting], "r/q": [], "r/z": []}
    for result, found in wanted.items():
        assert that_make(jobs, {result, "r/none"}, marked, Path("l")) == (found, [unknown])
    assert that_make(jobs, wanted, marked, Path("l")) == ([running, waiting], [unknown])


def test_what_a_try_says_for_good_is_dated_by_the_disk(monkeypatch: pytest.MonkeyPatch):
    """Clocks of two machines may be hours apart."""
    since = tries.now(Path("l"))
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert not tries.settled(LOG, since)
    tries.begin(LOG)
    assert not tries.settled(LOG, since)
    tries.give_up(LOG)
    assert tries.settled(LOG, since) and tries.settled(LOG, tries.now(Path("l")) - 60)
    os.utime(LOG.with_name("b.begun.json"), (since - 1, since - 1))
    assert not tries.settled(LOG, since)


def test_seconds_of_tries_that_failed_add_up(monkeypatch: pytest.MonkeyPatch):
    assert tries.begin(LOG) == 0.0
    write_text(LOG, "said\n")
    for before in (5.0, 10.0):
        os.utime(LOG, (0, time.time() + 5))
        assert tries.begin(LOG) == pytest.approx(before, abs=1.0)
    tries.give_up(LOG)
    last = tries.read(LOG)
    assert last and last.final and last.before == pytest.approx(10.0, abs=1.0)
    tries.done(LOG)
    assert tries.read(LOG) is None and tries.begin(LOG) == 0.0


def test_a_job_whose_last_try_came_to_no_good_end_has_failed(monkeypatch: pytest.MonkeyPatch):
    write_text(LOG, "it broke\n")
    tries.begin(LOG)
    assert failed({}, Path("l")) == []
    monkeypatch.setattr("discobench.owners.Owner.lives", False)
    assert failed({}, Path("l")) == [LOG]
    assert failed({RESULT: Making("stopped", LOG)}, Path("l")) == []
    for result in ("r/x", RESULT, "r/y"):
        write_text(Path(result), "made by hand\n")
    assert failed({}, Path("l")) == []
    Path("r/x").unlink()
    assert failed({}, Path("l")) == [LOG]
    tries.done(LOG)
    assert failed({}, Path("l")) == []
