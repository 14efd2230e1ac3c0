"""What a run changes in Snakemake's scheduler, which promises none of it: it is put back, and its absence is borne."""

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from discobench.operations import tries
from tests.conftest import ROOT

LOG = Path("l/b.log")


def functions(scheduler: object, limit: object = None) -> SimpleNamespace:
    """Those of rules/inputs/operations.smk, which know ``workflow`` from Snakemake."""
    source = (ROOT / "rules/inputs/operations.smk").read_text("utf-8")
    found: list[ast.stmt] = [part for part in ast.parse(source).body if isinstance(part, ast.FunctionDef)]
    settings = SimpleNamespace(max_jobs_per_timespan=limit)
    workflow = SimpleNamespace(scheduler=scheduler, scheduling_settings=settings)
    known: dict[str, Any] = {"workflow": workflow, "tries": tries, "Path": Path, "sys": sys}
    exec(compile(ast.Module(found, []), "operations.smk", "exec"), known)
    return SimpleNamespace(**known)


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A job that has begun and may be tried three times more."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake").mkdir()
    tries.begin(LOG)
    return SimpleNamespace(log=[str(LOG)], rule=SimpleNamespace(restart_times=3))


def seen(job: SimpleNamespace, fails: bool = False) -> tuple[Callable[[], None], list[int]]:
    """The scheduler's own answer to a failure as the run changes it, and the tries that it found allowed."""
    found: list[int] = []

    def handle(job: SimpleNamespace, postprocess_job: bool = True) -> None:
        found.append(job.rule.restart_times)
        if fails:
            raise OSError("Snakemake could not read it")

    scheduler = SimpleNamespace(_handle_error=handle)
    functions(scheduler).try_no_more_where_nothing_helps()
    return lambda: scheduler._handle_error(job, postprocess_job=False), found


def test_a_job_is_tried_no_more_once_it_has_said_that_nothing_helps(job: SimpleNamespace) -> None:
    handle, found = seen(job)
    handle()
    tries.give_up(LOG)
    handle()
    assert found == [3, 0] and job.rule.restart_times == 3


def test_other_jobs_of_a_rule_keep_their_tries_where_snakemake_fails(job: SimpleNamespace) -> None:
    handle, found = seen(job, fails=True)
    tries.give_up(LOG)
    with pytest.raises(OSError, match="could not read"):
        handle()
    assert found == [0] and job.rule.restart_times == 3


def test_only_the_usual_limit_is_dropped() -> None:
    for jobs, left in ((100, None), (50, "limiter")):
        scheduler = SimpleNamespace(job_rate_limiter="limiter")
        functions(scheduler, SimpleNamespace(max_jobs=jobs, timespan=1)).drop_the_usual_rate_limit()
        assert scheduler.job_rate_limiter == left


def test_a_snakemake_without_them_decides_as_usual(capsys: pytest.CaptureFixture[str]) -> None:
    scheduler = SimpleNamespace()
    changes = functions(scheduler, SimpleNamespace(max_jobs=100, timespan=1))
    changes.drop_the_usual_rate_limit()
    changes.try_no_more_where_nothing_helps()
    assert vars(scheduler) == {}
    told = capsys.readouterr().err
    assert [told.count(f"scheduler has no {name}") for name in ("job_rate_limiter", "_handle_error")] == [1, 1]
