"""Scores by category: domains and pronouns of ZPR, modern and classical of MRC."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from discobench.score.items import Item
from discobench.tasks.base import Task

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
    return found | ({"pronoun": _by_form(items)} if task.formulation == "gaps" else {})


def _by_group(items: Sequence[Item]) -> dict[str, list[Item]]:
    return {name: [item for item in items if item.group == name] for name in sorted({item.group for item in items})}


def _by_form(items: Sequence[Item]) -> dict[str, list[Item]]:
    forms = sorted({form for item in items for _, form in [*item.gold, *(item.prediction or [])]})
    return {form: [part for item in items if (part := _only(item, form))] for form in forms}


def _only(item: Item, form: str) -> Item | None:
    gold, found = ([pair for pair in pairs if pair[1] == form] for pairs in (item.gold, item.prediction or []))
    return replace(item, gold=gold, prediction=found) if gold or found else None
