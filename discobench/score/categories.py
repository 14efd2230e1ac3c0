"""Scores by category: domains and pronouns of ZPR, modern and classical of MRC."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from discobench.score.answers import heeded
from discobench.score.cells import summaries
from discobench.score.items import Item
from discobench.score.measure import Options
from discobench.score.registry import evaluate
from discobench.tasks.base import Task

FORM = "pronoun"
GROUPS = {"gaps": "domain", "choice": "style"}
"""What ``Task.group`` is called where scores are parted by it."""
Categories = Mapping[str, Mapping[str, Sequence[Item]]]


def categories(task: Task, items: Sequence[Item]) -> Categories:
    """Kind of category -> name -> its items, in order of names; empty for formulations that are not parted.

    By pronoun, an item holds only the gold and predicted gaps of that form, and is left out where it has none.
    """
    if task.formulation not in GROUPS:
        return {}
    found: dict[str, Mapping[str, Sequence[Item]]] = {GROUPS[task.formulation]: _by_group(items)}
    return found | ({FORM: _by_form(items)} if task.formulation == "gaps" else {})


def by_category(task: Task, items: Sequence[Item], options: Options, decoding: str = "") -> dict[str, Any]:
    """Kind of category -> name -> metric -> ``summary`` of the metrics that need no model.

    By pronoun, n is the number of gold pronouns of the form: all models share it, whatever they predict in vain.
    """
    return {
        kind: {
            name: _sized(kind, own, summaries(evaluate(task, own, options), decoding)) for name, own in parts.items()
        }
        for kind, parts in categories(task, heeded(items, options)).items()
    }


def _sized(kind: str, items: Sequence[Item], found: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    gold = {"n": sum(len(item.gold) for item in items)} if kind == FORM else {}
    return {metric: summary | gold if "value" in summary else summary for metric, summary in found.items()}


def _by_group(items: Sequence[Item]) -> dict[str, list[Item]]:
    return {name: [item for item in items if item.group == name] for name in sorted({item.group for item in items})}


def _by_form(items: Sequence[Item]) -> dict[str, list[Item]]:
    forms = sorted({form for item in items for _, form in [*item.gold, *(item.prediction or [])]})
    return {form: [part for item in items if (part := _only(item, form))] for form in forms}


def _only(item: Item, form: str) -> Item | None:
    gold, found = ([pair for pair in pairs if pair[1] == form] for pairs in (item.gold, item.prediction or []))
    return replace(item, gold=gold, prediction=found) if gold or found else None
