"""Scores by category: domains, styles, pronouns, as the score of each cell lists them."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

Parted = dict[str, dict[str, Any]]


def parted(metrics: Sequence[str], cells: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> Parted:
    """Kind of category -> ``metric``, ``columns`` [(category, n)] and ``rows`` [(row, label, values)].

    ``cells`` are the scores of one task; the metric is the first of ``metrics`` that is there. Values are means over
    seeds. n is left out where models do not share it, as with pronouns, which a model may also predict in vain.
    """
    kinds = dict.fromkeys(kind for cell in cells for kind in cell.get("categories", {}))
    return {kind: found for kind in kinds if (found := _kind(kind, metrics, cells, labels))}


def _kind(
    kind: str, metrics: Sequence[str], cells: Sequence[Mapping[str, Any]], labels: Mapping[str, str]
) -> dict[str, Any] | None:
    by_row: dict[str, list[Mapping[str, Any]]] = {}
    for cell in cells:
        by_row.setdefault(cell["row"], []).append(cell.get("categories", {}).get(kind, {}))
    parts = [part for found in by_row.values() for categories in found for part in categories.values()]
    metric = next((name for name in metrics if any("value" in part.get(name, {}) for part in parts)), None)
    if metric is None:
        return None
    names = sorted({name for found in by_row.values() for categories in found for name in categories})
    return {
        "metric": metric,
        "columns": [(name, _shared(name, metric, by_row)) for name in names],
        "rows": [
            (row, labels.get(row, row), [_mean(name, metric, found) for name in names]) for row, found in by_row.items()
        ],
    }


def _summaries(name: str, metric: str, found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    summaries = [categories.get(name, {}).get(metric, {}) for categories in found]
    return [summary for summary in summaries if "value" in summary]


def _mean(name: str, metric: str, found: Sequence[Mapping[str, Any]]) -> float | None:
    summaries = _summaries(name, metric, found)
    return fmean(summary["value"] for summary in summaries) if summaries else None


def _shared(name: str, metric: str, by_row: Mapping[str, Sequence[Mapping[str, Any]]]) -> int | None:
    sizes = {summary["n"] for found in by_row.values() for summary in _summaries(name, metric, found)}
    return int(sizes.pop()) if len(sizes) == 1 else None
