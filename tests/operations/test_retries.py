"""Retries of training follow from the forecast and the wall time, and leave what is short to the profile."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.operations.forecast import Forecast
from discobench.operations.rates import Rates, read_rates
from discobench.operations.retries import FAULTS, MOST, Retries, needed
from discobench.operations.sizes import Sizes
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def rates() -> Rates:
    return read_rates(ROOT / "resources/forecast.yaml")


def within(base: int, most: int) -> Callable[..., int]:
    """Minutes of an attempt, as the table of jobs has them."""
    return lambda wildcards, attempt: min(base * attempt, most)


@given(st.floats(0, 5000), st.integers(1, 3000), st.integers(1, 3000))
def test_all_attempts_together_have_the_hours_and_one_less_has_not(hours: float, base: int, most: int):
    runtime = within(base, most)
    attempts = 1 + (needed(hours, runtime, {}) or FAULTS) - FAULTS
    had = sum(runtime(None, attempt=n) for n in range(1, attempts + 1))
    assert had >= hours * 60 or attempts == MOST
    assert attempts == 1 or had - runtime(None, attempt=attempts) < hours * 60


def test_the_paper_needs_many_jobs_for_a_model_and_the_demo_one(rates: Rates):
    paper, demo = (Retries(Selection(resolve(preset, ROOT)), rates) for preset in ({}, {"preset": "demo"}))
    week = within(10_080, 10_080)
    assert needed(168, week, {}) is None and needed(169, week, {}) == 1 + FAULTS
    assert paper.pretrain(week) == 80 + FAULTS  # 13,465 hours
    assert demo.pretrain(week) is None


def test_wall_times_are_those_of_the_job_of_each_model(rates: Rates):
    """A model that several GPUs pretrain may have to go where jobs run for a day, and so be tried more often."""
    paper, day = Retries(Selection(resolve({}, ROOT)), rates), within(1440, 1440)

    def minutes(wildcards: dict[str, str], attempt: int) -> int:
        return day(None, attempt) if wildcards["checkpoint"] == "disco-mbart" else 10**6

    def tuned(wildcards: dict[str, str], attempt: int) -> int:
        return 1 if wildcards == {"task": "nt", "row": "mbart"} else 10**6

    longest = {line.what: line.longest for line in forecast_of(rates).pretrain()}
    assert paper.pretrain(minutes) == needed(longest["disco-mbart"], day, {})
    (bundle,) = Selection(resolve({"run": {"together": False}}, ROOT)).bundles()
    (hours,) = (line.longest for line in forecast_of(rates).finetune() if (line.what, line.task) == ("mbart", "nt"))
    assert paper.finetune(bundle, tuned) == needed(hours, within(1, 1), {})


def forecast_of(rates: Rates) -> Forecast:
    run = Selection(resolve({}, ROOT))
    return Forecast(run, rates, Sizes(run, rates, [], None))


def test_a_job_of_several_tasks_has_the_hours_of_all(rates: Rates):
    run = Selection(resolve({"preset": "demo"}, ROOT))
    retries, minute = Retries(run, rates), within(1, 1)
    found = {bundle.row: retries.finetune(bundle, minute) for bundle in run.bundles()}
    lines = Forecast(run, rates, Sizes(run, rates, [], None)).finetune()
    hours = {line.longest for line in lines if line.what == "bart-large"}
    assert len(hours) == 1 and found["bart-large"] == needed(hours.pop(), minute, {}) != needed(1 / 60, minute, {})


def test_gpus_shorten_jobs_and_trials_lengthen_them(rates: Rates):
    def longest(**finetune: object) -> float:
        run = Selection(resolve({"finetune": finetune}, ROOT))
        lines = Forecast(run, rates, Sizes(run, rates, [], None)).finetune()
        return next(line.longest for line in lines if (line.what, line.task) == ("bart-large", "nt"))

    assert longest() / 4 < longest(gpus=4) < longest() / 3  # to begin takes as long
    grid = {"bart-large": {"nt": {"learning_rate": [1e-4, 1e-5], "batch_size": [3000, 3001]}}}
    assert longest(grid=grid) == pytest.approx(4 * longest(), rel=1e-2)
