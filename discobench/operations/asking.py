"""What rows of APIs will ask, before they do: questions, tokens, money."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from discobench.config.selection import Selection
from discobench.decode import prompts
from discobench.decode.endpoint import Endpoint, Use, expected
from discobench.diagnose.suite import kind
from discobench.operations.preflight import Finding
from discobench.operations.rates import Rates
from discobench.operations.sizes import Sizes
from discobench.parquet import read_parquet
from discobench.tasks import task as find


@dataclass(frozen=True, slots=True)
class Asked:
    """What a row asks about a task or suite; ``use`` has answers at their longest, money is None without prices."""

    row: str
    what: str
    questions: int
    use: Use
    money: float | None


def asked(run: Selection, rates: Rates, sizes: Sizes) -> list[Asked]:
    """Every row of an API, its tasks first and then its suites; what is answered already is not taken off."""
    return [*_tasks(run, rates, sizes), *_suites(run, rates)]


def beyond(run: Selection, lines: Sequence[Asked]) -> Iterator[Finding]:
    """A note for each bound of the budget that the questions may pass."""
    budget = run.config.api.budget
    tokens, money = sum(line.use.tokens for line in lines), sum(line.money or 0 for line in lines)
    for name, limit, needed in (("tokens", budget.tokens, tokens), ("money", budget.money, money)):
        if limit is not None and needed > limit:
            found = f"{limit:,.10g} may not be enough, the questions of this run may take {needed:,.6g}"
            yield Finding(f"api.budget.{name}", found, "raise the key, or raise it when the run stops", blocking=False)


def _tasks(run: Selection, rates: Rates, sizes: Sizes) -> Iterator[Asked]:
    for row in run.rows:
        for task in run.row_tasks(row):
            name = run.config.rows[row].tasks[task]
            if run.family(name) == "llm" and prompts.path_of(task).exists():
                count = sizes.records(task, "test")
                yield _line(run, row, task, name, count, _use(task, count, rates, sizes))


def _suites(run: Selection, rates: Rates) -> Iterator[Asked]:
    for suite in run.suites:
        task = run.config.suites[suite].task
        for row in run.suite_rows(suite):
            name = run.config.rows[row].tasks[task]
            path = prompts.path_of(f"diagnostic/{task}")
            if run.family(name) == "llm" and path.exists():
                each = rates.suites["candidates"].value if kind(find(task)) == "passage" else 1
                count = round(rates.suites["instances"].value * each)
                yield _line(run, row, f"suite {suite}", name, count, _usual(count, prompts.read(path), rates))


def _line(run: Selection, row: str, what: str, checkpoint: str, count: int, use: Use) -> Asked:
    endpoint = Endpoint(**run.asked(checkpoint), **run.manner(checkpoint))
    return Asked(row, what, count, use, endpoint.money(use) if endpoint.priced else None)


def _use(task: str, count: int, rates: Rates, sizes: Sizes) -> Use:
    """By the questions themselves where the test set is built."""
    prompt = prompts.read(prompts.path_of(task))
    built = sizes.results / "tasks" / task / "test.parquet" if sizes.results else None
    if built is None or not built.exists():
        return _usual(count, prompt, rates)
    records = read_parquet(built, find(task).schema)
    texts = (prompt.render(find(task).fields(record)) for record in records)
    return sum((expected(text, prompt.max_tokens) for text in texts), Use())


def _usual(count: int, prompt: prompts.Prompt, rates: Rates) -> Use:
    return Use(round(count * rates.asked["tokens"].value), count * prompt.max_tokens)
