"""The JSON of a cell's scores: one form for metrics with and without a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.files import read_json
from discobench.score.items import Item
from discobench.score.measure import Measure, Metric, NotRun, Options

Key = tuple[str, int]
"""Row and seed."""


def summary(result: Metric | NotRun, decoding: str = "") -> dict[str, Any]:
    """``{value, n, ci95, signature}``, with ``decoding`` if there is any to tell, or ``{not_run: reason}``."""
    if isinstance(result, NotRun):
        return {"not_run": str(result)}
    return result.summary() | ({"decoding": decoding} if decoding else {})


def summaries(results: Mapping[str, Metric | NotRun], decoding: str = "") -> dict[str, dict[str, Any]]:
    """``summary`` of each metric."""
    return {metric: summary(result, decoding) for metric, result in results.items()}


def decoding(manifest: Path) -> str:
    """What the manifest of some predictions says of how they came about, if it does."""
    return str(read_json(manifest)["notes"].get("signature", ""))


def rows(results: Mapping[str, Metric | NotRun]) -> Iterator[dict[str, Any]]:
    """Rows of schema ``instance``: what is known per unit, metric by metric, in the order of the test set."""
    for name, result in results.items():
        if isinstance(result, Metric):
            for unit, value in result.instances.items():
                yield {"id": unit, "metric": name, "value": value, "counts": result.counts.get(unit)}


def every_cell(
    cells: Mapping[Key, Sequence[Item]], options: Options, make: Callable[[], Measure]
) -> dict[Key, Metric | NotRun]:
    """Score each cell by the measure that ``make`` loads once; all are NotRun where it cannot be had."""
    try:
        measure = make()
        return {key: measure(items, options) for key, items in cells.items()}
    except NotRun as reason:
        return dict.fromkeys(cells, reason)
