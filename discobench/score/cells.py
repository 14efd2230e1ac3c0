"""The JSON of a cell's scores: one form for metrics with and without a model."""

from collections.abc import Iterator, Mapping
from typing import Any

from discobench.score.measure import Metric, NotRun


def scores(results: Mapping[str, Metric | NotRun]) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """The summary of each metric, or why it was not run, and the rows of schema ``instance``."""
    return {name: summary(result) for name, result in results.items()}, instances(results)


def summary(result: Metric | NotRun) -> dict[str, Any]:
    """``{value, n, ci95, signature}`` or ``{not_run: reason}``."""
    return {"not_run": str(result)} if isinstance(result, NotRun) else result.summary()


def instances(results: Mapping[str, Metric | NotRun]) -> Iterator[dict[str, Any]]:
    """Values per unit, metric by metric, in the order of the test set."""
    for name, result in results.items():
        if isinstance(result, Metric):
            yield from ({"id": unit, "metric": name, "value": value} for unit, value in result.instances.items())
