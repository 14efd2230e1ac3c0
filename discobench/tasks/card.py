"""Data cards: what a data set is made of, as Markdown."""

import json
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from discobench.formulations import strings
from discobench.tasks.base import Task

EXAMPLES = 3


def card(task: Task, splits: Mapping[str, Sequence[Mapping[str, Any]]], facts: Mapping[str, Any]) -> str:
    """The card of a task; ``facts`` are source, licence, domain and the sizes that Table 1 prints."""
    return "\n".join([*_head(task, facts), "", *_sizes(task, splits, facts), "", *_examples(splits["train"]), ""])


def _head(task: Task, facts: Mapping[str, Any]) -> list[str]:
    source, target = task.languages
    return [
        f"# {task.name.upper()}",
        "",
        (task.__class__.__doc__ or "").strip(),
        "",
        f"- formulation: {task.formulation}",
        f"- languages: {source}" + (f" → {target}" if target != source else ""),
        f"- domain: {facts['domain']}",
        f"- source: {facts['source']}",
        f"- licence: {facts['licence'] or 'none recorded; nothing made from it can be released'}",
        f"- metrics: {', '.join(task.metrics)}",
    ]


def _sizes(task: Task, splits: Mapping[str, Sequence[Mapping[str, Any]]], facts: Mapping[str, Any]) -> list[str]:
    """Sizes of the splits; characters are those of the texts that a model sees, answers included."""
    lines = ["| split | records | works | mean characters | records in Table 1 |", "|---|---|---|---|---|"]
    sizes = facts["paper_train"], facts["paper_test"]
    paper = {} if None in sizes else {"train": sizes[0], "test": f"{sizes[1]} with validation"}
    for split, rows in splits.items():
        works = len({row["work_id"] for row in rows})
        length = mean(sum(map(len, strings(task.example(row)))) for row in rows)
        lines.append(f"| {split} | {len(rows)} | {works} | {length:.0f} | {paper.get(split, '')} |")
    return lines


def _examples(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = ["## Examples", ""]
    for row in rows[:EXAMPLES]:
        lines += ["```json", json.dumps(dict(row), ensure_ascii=False, indent=2), "```", ""]
    return lines
