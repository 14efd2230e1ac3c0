"""The JSON of a cell's scores: one form for metrics with and without a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from discobench.score.items import Item
from discobench.score.measure import Measure, Metric, NotRun, Options

Key = tuple[str, int]
"""Row and seed."""


def summary(result: Metric | NotRun) -> dict[str, Any]:
    """``{value, n, ci95, signature}`` or ``{not_run: reason}``."""
    return {"not_run": str(result)} if isinstance(result, NotRun) else result.summary()


def rows(results: Mapping[str, Metric | NotRun]) -> Iterator[dict[str, Any]]:
    """Rows of schema ``instance``: values per unit, metric by metric, in the order of the test set."""
    for name, result in results.items():
        if isinstance(result, Metric):
            yield from ({"id": unit, "metric": name, "value": value} for unit, value in result.instances.items())


def every_cell(
    cells: Mapping[Key, Sequence[Item]], options: Options, make: Callable[[], Measure]
) -> dict[Key, Metric | NotRun]:
    """Score each cell by the measure that ``make`` loads once; all are NotRun where it cannot be had."""
    try:
        measure = make()
        return {key: measure(items, options) for key, items in cells.items()}
    except NotRun as reason:
        return dict.fromkeys(cells, reason)
