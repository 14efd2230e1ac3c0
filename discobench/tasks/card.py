"""Data cards: what a data set is made of, as Markdown."""

import json
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from discobench.tasks.base import Task

EXAMPLES = 3
TEXTS = frozenset(
    [
        "context",
        "text",
        "before",
        "after",
        "passage",
        "question",
        "choices",
        "source_text",
        "references",
        "target",
        "prompt",
    ]
)


def card(task: Task, splits: Mapping[str, Sequence[Mapping[str, Any]]], facts: Mapping[str, Any]) -> str:
    """The card of a task; ``facts`` are source, licence, domain and the sizes that Table 1 prints."""
    return "\n".join([*_head(task, facts), "", *_sizes(splits, facts), "", *_examples(splits["train"]), ""])


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


def _sizes(splits: Mapping[str, Sequence[Mapping[str, Any]]], facts: Mapping[str, Any]) -> list[str]:
    lines = ["| split | records | works | mean characters | records in Table 1 |", "|---|---|---|---|---|"]
    sizes = facts["paper_train"], facts["paper_test"]
    paper = {} if None in sizes else {"train": sizes[0], "test": f"{sizes[1]} with validation"}
    for split, rows in splits.items():
        works = len({row["work_id"] for row in rows})
        length = mean(_characters(row) for row in rows)
        lines.append(f"| {split} | {len(rows)} | {works} | {length:.0f} | {paper.get(split, '')} |")
    return lines


def _characters(row: Mapping[str, Any]) -> int:
    texts = [value for key, value in row.items() if isinstance(value, str) and key in TEXTS]
    texts += [text for key, value in row.items() if key in TEXTS and isinstance(value, list) for text in value]
    return sum(len(text) for text in texts)


def _examples(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = ["## Examples", ""]
    for row in rows[:EXAMPLES]:
        lines += ["```json", json.dumps(dict(row), ensure_ascii=False, indent=2), "```", ""]
    return lines
