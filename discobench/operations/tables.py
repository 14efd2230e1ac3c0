"""A forecast as text: tables in Markdown, wide enough to be read in a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from discobench.config.selection import Selection
from discobench.decode.endpoint import Use
from discobench.operations.actual import Spent, sums
from discobench.operations.asking import Asked, asked
from discobench.operations.forecast import Forecast, Line, Site, readings, summed
from discobench.operations.rates import Rates
from discobench.operations.sizes import Sizes

HEADS = ("jobs", "GPU-hours", "core-hours", "disk, GB", "wall, hours")
FIELDS = ("jobs", "gpu_hours", "core_hours", "disk_gb", "wall_hours")
WEEK = 168


def number(value: float) -> str:
    """Three digits that count."""
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2g}"


def table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Markdown, its columns aligned; numbers as ``number`` writes them."""
    cells = [list(heads), *([c if isinstance(c, str) else number(c) for c in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned = [
        [c.ljust(w) if n == 0 else c.rjust(w) for n, (c, w) in enumerate(zip(r, widths, strict=True))] for r in cells
    ]
    rule = ["-" * w if n == 0 else "-" * (w - 1) + ":" for n, w in enumerate(widths)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [aligned[0], rule, *aligned[1:]])


def forecast_text(run: Selection, forecast: Forecast, spent: Sequence[Spent]) -> str:
    """By stage, model and task, Table 15's two readings, long jobs, what was spent, and where the figures are from."""
    lines, place = forecast.lines(), forecast.place
    parts = [f"# Forecast for {run.config.run.preset}, {place}", _sums("stage", lines, place)]
    parts += [_sums("model", [x for x in lines if x.what not in run.config.genres], place), _sums("task", lines, place)]
    parts += [read_twice(run, forecast.rates), *_long(lines), _beside(run, lines, place, spent)]
    parts.append(_asked(asked(run, forecast.rates, forecast.sizes)))
    return "\n\n".join([*filter(None, parts), _origins(forecast.rates)]) + "\n"


def _asked(lines: Sequence[Asked]) -> str:
    """What rows of APIs ask, and their sum; empty where the run has none."""
    heads = ["row", "of", "questions", "tokens, about", "tokens of answers, at most", "money, at most"]
    rows = [[x.row, x.what, x.questions, x.use.input, x.use.output, _money([x])] for x in lines]
    use = sum((x.use for x in lines), Use())
    rows.append(["together", "", sum(x.questions for x in lines), use.input, use.output, _money(lines)])
    text = "Questions to APIs (`price_input` and `price_output` say what they cost, `api.budget` bounds it):\n\n"
    return text + table(heads, rows) if lines else ""


def _money(lines: Sequence[Asked]) -> float | str:
    """Empty where a price is missing: a part of a sum is none."""
    money = [line.money for line in lines]
    return "" if None in money else sum(one for one in money if one is not None)


def on_page(run: Selection, rates: Rates, sizes: Sizes, place: Site) -> dict[str, Any]:
    """The forecast by stage, model and task, and at the paper's scale the two readings, as the page shows them."""
    lines = Forecast(run, rates, sizes, place).lines()
    own = [line for line in lines if line.what not in run.config.genres]
    by = {"stage": lines, "model": own, "task": lines}
    return {
        "of": "the paper's sizes" if sizes.scale else "the sizes of the data sets that were built",
        "place": f"{place.jobs} jobs at once",
        "gpu": rates.gpu.name,
        "heads": list(HEADS),
        "tables": {name.title(): _shown(_rows(name, found, place)) for name, found in by.items()},
        "readings": _shown(_readings(run, rates) if sizes.scale else []),
    }


def _shown(rows: Sequence[Sequence[Any]]) -> list[tuple[str, list[str]]]:
    return [(row[0], list(map(number, row[1:]))) for row in rows]


def _sums(by: str, lines: list[Line], place: Site) -> str:
    rows = _rows(by, lines, place)
    return table([by, *HEADS], rows) if rows else ""


def _rows(by: str, lines: list[Line], place: Site) -> list[list[Any]]:
    sums = summed(lines, lambda line: line.what if by == "model" else getattr(line, by), place)
    rows = [[entry["name"], *(entry[field] for field in FIELDS)] for entry in sums]
    if by == "stage":
        rows.append(["together", *(sum(entry[field] for entry in sums) for field in FIELDS)])
    return rows


def read_twice(run: Selection, rates: Rates) -> str:
    """Hours of a GPU for pretraining in both readings of Table 15's batch; empty where nothing is pretrained."""
    rows = _readings(run, rates)
    heads = ["pretrained model", f"{rates.gpu.name} hours, batch of sequences", "of tokens"]
    text = "Table 15 prints a batch of 4K without saying of what (`batch_unit`):\n\n"
    return text + table(heads, rows) if rows else ""


def _readings(run: Selection, rates: Rates) -> list[list[Any]]:
    """A row for each model, and the sum of those that Table 15 has."""
    rows: list[list[Any]] = [list(line) for line in readings(run, rates)]
    printed = [row for row in rows if run.config.checkpoints[row[0]].paper.layers]
    sums = [f"the {len(printed)} of Table 15", sum(row[1] for row in printed), sum(row[2] for row in printed)]
    return [*rows, sums] if printed else rows


def _long(lines: list[Line]) -> list[str]:
    """A sentence for each line whose jobs take more than a week on one processor."""
    long = [line for line in lines if line.longest > WEEK]
    return [
        f"{line.stage} {line.what} {line.task}".strip() + f": a job of it takes {number(line.longest)} hours, "
        f"{number(-(-line.longest // WEEK))} jobs of a week one after the other."
        for line in long
    ]


def _beside(run: Selection, lines: list[Line], place: Site, spent: Sequence[Spent]) -> str:
    """What was forecast beside what was spent so far, by stage, model and task; empty where no job is done."""
    own = [line for line in lines if line.what not in run.config.genres]
    took = [one for one in spent if one.what not in run.config.genres]
    tables = [
        _pairs("stage", summed(lines, lambda x: x.stage, place), sums(spent, lambda x: x.stage)),
        _pairs("model", summed(own, lambda x: x.what, place), sums(took, lambda x: x.what)),
        _pairs("task", summed(lines, lambda x: x.task, place), sums(spent, lambda x: x.task)),
    ]
    text = "What was forecast and what the jobs that are done have spent, tries that failed before included:"
    return "\n\n".join([text, *filter(None, tables)]) if any(tables) else ""


def _pairs(by: str, planned: Sequence[Mapping[str, Any]], took: Mapping[str, Mapping[str, float]]) -> str:
    """A line for each name of which a job is done; jobs with a GPU hold it for all of their time."""
    heads = [by, "jobs", "done", "core-hours", "spent", "GPU-hours", "spent", "largest job, MB"]
    both = [(entry, took[entry["name"]]) for entry in planned if entry["name"] in took]
    fields = ("jobs", "core_hours", "gpu_hours")
    rows = [[e["name"], *(side[f] for f in fields for side in (e, done)), done["memory_mb"]] for e, done in both]
    return table(heads, rows) if rows else ""


def _origins(rates: Rates) -> str:
    lines = [f"- {name}: {text}" for name, text in rates.origins()]
    return "\n".join(["Reckoned with (resources/forecast.yaml; put your own figures there):", "", *lines])
