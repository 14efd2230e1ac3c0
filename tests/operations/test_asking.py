"""What APIs will be asked is reckoned by the questions themselves, and what it may cost stands beside the budget."""

from pathlib import Path
from typing import Any

import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.decode import prompts
from discobench.decode.endpoint import BYTES_OF_TOKEN
from discobench.operations.asking import Asked, asked, beyond
from discobench.operations.forecast import Forecast
from discobench.operations.preflight import Machine, findings
from discobench.operations.rates import Rates, read_rates
from discobench.operations.sizes import Sizes
from discobench.operations.tables import forecast_text
from discobench.parquet import write_parquet
from discobench.report.paper import read_csv
from discobench.tasks import task as find
from tests.decode.instances import record
from tests.support import ROOT

TABLE5 = read_csv(ROOT / "resources/paper/table5.csv")
PRICES = {"price_input": 10.0, "price_output": 30.0}


@pytest.fixture(scope="module")
def rates() -> Rates:
    return read_rates(ROOT / "resources/forecast.yaml")


def paper(**api: Any) -> Selection:
    return Selection(resolve({"api": api}, ROOT))


def lines(run: Selection, rates: Rates, results: Path | None = None) -> list[Asked]:
    return asked(run, rates, Sizes(run, rates, TABLE5, results))


def test_every_task_and_suite_of_rows_of_apis_is_reckoned(rates: Rates) -> None:
    run = paper(**PRICES)
    found = {(line.row, line.what): line for line in lines(run, rates)}
    suites = [f"suite {name}" for name in ("mrc", "nt", "tc")]
    assert set(found) == {(row, what) for row in ("gpt-3.5", "gpt-4") for what in (*run.tasks, *suites)}
    line = found["gpt-4", "mrc"]
    assert line.questions == run.config.tasks["mrc"].paper_test
    assert (line.use.input, line.use.output) == (line.questions * 500, line.questions * 16)
    assert line.money == pytest.approx((line.use.input * 10 + line.use.output * 30) / 1e6)
    assert found["gpt-4", "suite mrc"].questions == 4 * found["gpt-4", "suite nt"].questions


def test_questions_that_are_there_are_measured(rates: Rates, tmp_path: Path) -> None:
    rows = [record("mrc", n, passage="雨" * 1000) for n in range(7)]
    write_parquet(tmp_path / "tasks/mrc/test.parquet", rows, find("mrc").schema)
    (line,) = [x for x in lines(paper(), rates, tmp_path) if (x.row, x.what) == ("gpt-4", "mrc")]
    prompt = prompts.read(prompts.path_of("mrc"))
    text = prompt.render(find("mrc").fields(rows[0]))
    assert line.questions == 7 and line.use.output == 7 * prompt.max_tokens and line.money is None
    assert line.use.input == 7 * (len(text.encode()) // BYTES_OF_TOKEN + 1)


def test_the_forecast_shows_questions_and_money(rates: Rates) -> None:
    run = paper(**PRICES)
    text = forecast_text(run, Forecast(run, rates, Sizes(run, rates, TABLE5, None)), {})
    shown = text[text.index("Questions to APIs") :]
    assert shown.count("| gpt-4") == len(run.tasks) + 3 and "| together" in shown and "money, at most" in shown
    mini = Selection(resolve({"preset": "mini"}, ROOT))
    assert "Questions to" not in forecast_text(mini, Forecast(mini, rates, Sizes(mini, rates, TABLE5, None)), {})


def test_a_budget_that_may_not_be_enough_is_noted(rates: Rates) -> None:
    run = paper(**PRICES, budget={"money": 0.5, "tokens": 1000})
    noted = list(beyond(run, lines(run, rates)))
    assert [(finding.key, finding.blocking) for finding in noted] == [
        ("api.budget.tokens", False),
        ("api.budget.money", False),
    ]
    assert not list(beyond(paper(**PRICES, budget={"money": 1e9}), lines(run, rates)))


def test_a_bound_of_money_needs_prices_and_a_task_a_prompt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = Machine(lambda path: True, {"OPENAI_API_KEY": "x"}, lambda name: True, 8)
    run = paper(budget={"money": 5.0})
    keys = [finding.key for finding in findings(run, here) if finding.blocking]
    assert keys == ["checkpoints.gpt-3.5.api.price_input", "checkpoints.gpt-4.api.price_input"]
    monkeypatch.setattr(prompts, "FOLDER", tmp_path)
    lacking = [f.key for f in findings(paper(), here) if f.blocking]
    assert "resources/prompts/mrc.yaml" in lacking and len(lacking) == len(run.tasks) + len(run.suites)
