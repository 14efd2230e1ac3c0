"""Every job of the stage killed before each file that it would show: nothing is half there, and it ends the same."""

import os
import signal
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.stage import SCRIPTS, Genre, Job, jobs, raw_books

CONTEXT: Any = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.corpus.stage"])


def run_until(job: Job, files: int) -> None:
    """Do a job, and end without any warning when one more file than that is written and about to take its name."""
    shown, left = Path.replace, iter(range(files))

    def replace(self: Path, target: Path) -> Path:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
        return shown(self, target)

    Path.replace = replace  # type: ignore[method-assign, assignment]
    job.run()


def ended(job: Job, files: int) -> int:
    """How a process that does it ended."""
    process = CONTEXT.Process(target=run_until, args=(job, files))
    process.start()
    process.join(120)
    status: int = process.exitcode
    return status


@pytest.mark.slow
def test_killed_before_any_file(tmp_path: Path) -> None:
    raw_books(tmp_path / "raw")
    steps = set()
    for job in jobs(Genre(tmp_path / "raw"), tmp_path / "out", 1):
        job.run()
        whole = {path: path.read_bytes() for path in job.files()}
        for path in whole:
            path.unlink()
        for files in range(len(whole)):
            assert ended(job, files) == -signal.SIGKILL
            there = [path for path in whole if path.exists()]
            assert len(there) == files
            assert job.outputs["manifest"] not in there
            assert all(path.read_bytes() == whole[path] for path in there)
        assert ended(job, len(whole)) == 0
        assert {path: path.read_bytes() for path in whole} == whole
        steps.add(job.step)
    assert steps == set(SCRIPTS)
