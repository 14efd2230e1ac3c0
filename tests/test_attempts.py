"""A try that brought no newer checkpoint is followed by none with the same means; the cluster's SIGTERM is noted."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from discobench.attempts import stopped, tried
from discobench.errors import DiscoError
from discobench.termination import on_termination

GIVEN = {"mem_mb": 8000, "runtime": 60}


def begin(state: Path, resources: Any) -> None:
    """A try that is killed."""
    with pytest.raises(SystemExit), tried(state, resources, state / "job.log"):
        raise SystemExit


def checkpoint(state: Path, step: int) -> None:
    folder = state / f"step-{step:09d}"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"weights")


def test_a_try_without_progress_is_the_last(tmp_path: Path) -> None:
    checkpoint(tmp_path, 3)
    begin(tmp_path, SimpleNamespace(attempt=1, **GIVEN))
    (tmp_path / "owner.json").write_text("{}", "utf-8")
    checkpoint(tmp_path / ".writing-step-000000009", 9)
    with pytest.raises(DiscoError, match="brought no newer checkpoint"):
        begin(tmp_path, SimpleNamespace(attempt=2, **GIVEN))


@pytest.mark.parametrize("more", [{"mem_mb": 16_000}, {"runtime": 120}])
def test_more_memory_or_time_is_worth_a_try(tmp_path: Path, more: dict[str, int]) -> None:
    begin(tmp_path, SimpleNamespace(attempt=1, **GIVEN))
    begin(tmp_path, SimpleNamespace(attempt=2, **(GIVEN | more)))
    with pytest.raises(DiscoError):
        begin(tmp_path, SimpleNamespace(attempt=3, **(GIVEN | more)))


def test_progress_is_worth_a_try(tmp_path: Path) -> None:
    begin(tmp_path, SimpleNamespace(attempt=1, **GIVEN))
    checkpoint(tmp_path, 3)
    begin(tmp_path, SimpleNamespace(attempt=2, **GIVEN))
    checkpoint(tmp_path, 4)
    begin(tmp_path, SimpleNamespace(attempt=3, **GIVEN))


def test_the_command_again_is_a_first_try(tmp_path: Path) -> None:
    for _ in range(2):
        begin(tmp_path, SimpleNamespace(attempt=1, **GIVEN))


def test_a_run_that_came_to_its_end_may_be_asked_again(tmp_path: Path) -> None:
    """As where one job trains several models and a later one of them fails."""
    for attempt in (1, 2, 3):
        with tried(tmp_path, SimpleNamespace(attempt=attempt, **GIVEN), tmp_path / "job.log"):
            pass


def test_a_state_that_is_cleared_meanwhile_does_not_fail_a_run_that_came_to_its_end(tmp_path: Path) -> None:
    with tried(tmp_path, SimpleNamespace(attempt=1, **GIVEN), tmp_path / "job.log"):
        (tmp_path / "attempt.json").unlink()


def killed(state: Path, attempt: int, number: int | None = signal.SIGTERM) -> int | str | None:
    """How a try ends that gets a signal, or that dies without a word."""
    try:
        with tried(state / str(attempt), SimpleNamespace(attempt=attempt, **GIVEN), state / "job.log"):
            if number is None:
                raise MemoryError
            os.kill(os.getpid(), number)
    except SystemExit as stop:
        return stop.code
    except MemoryError:
        return None
    raise AssertionError("it lived on")


def test_tries_that_the_cluster_ends_are_told_from_others(tmp_path: Path) -> None:
    for attempt in (1, 2, 3):
        (tmp_path / str(attempt)).mkdir()
    ends = [killed(tmp_path, 1), killed(tmp_path, 2, None), killed(tmp_path, 3)]
    assert ends == [143, None, 143]
    assert [stopped(tmp_path / "job.log", attempt) for attempt in (1, 2, 3, 4)] == [0, 1, 1, 2]
    assert killed(tmp_path, 1, None) is None
    assert stopped(tmp_path / "job.log", 4) == 0


def test_the_end_is_noted_before_anything_is_saved_and_only_then_comes(tmp_path: Path) -> None:
    """As within the trainer, which comes to the end of its step first."""
    done, log = [], tmp_path / "job.log"
    with suppress(SystemExit), tried(tmp_path, SimpleNamespace(attempt=1, **GIVEN), log):
        with on_termination(lambda: done.append(stopped(log, 2))):
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("step")
        os.kill(os.getpid(), signal.SIGTERM)
        done.append("never")
    assert done == [1, "step"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
