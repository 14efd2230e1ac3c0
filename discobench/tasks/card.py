"""Data cards: what a data set is made of, as Markdown."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import Any

from discobench.tasks.base import Record, Task
from discobench.tasks.measures import PERCENTILES, TEXTS, Measured, shares, unit

EXAMPLES = 3
HEADING = "## Examples"
LABELS = 40
Splits = Mapping[str, Measured]


def card(task: Task, splits: Splits, train: Iterable[Record], facts: Mapping[str, Any]) -> str:
    """The card of a task.

    ``facts`` are its domain, the sizes that Table 1 prints, and ``sources``: (place, licence) of everything that it
    is made from.
    """
    parts = [
        _head(task, facts),
        _sources(splits, facts["sources"]),
        _sizes(splits, facts),
        _lengths(task, splits),
        _labels(splits),
        _examples(train),
    ]
    return "\n".join(line for part in parts if part for line in (*part, ""))


def without_examples(text: str) -> str:
    """A card as it may be passed on where the texts of its records may not."""
    return text.partition(HEADING)[0]


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
        f"- metrics: {', '.join(task.metrics)}",
    ]


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """A Markdown table, line by line."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(str(cell).replace("|", r"\|") for cell in line) + " |" for line in lines]


def _sources(splits: Splits, sources: Sequence[tuple[str, str | None]]) -> list[str]:
    """Where the records come from, under which licences, and how many of each source there are."""
    licensed = [(place, licence or "none recorded; nothing made from it can be released") for place, licence in sources]
    names = sorted({name for split in splits.values() for name in split.sources})
    counts = [(name, *(split.sources[name] for split in splits.values())) for name in names]
    made_from = table(["made from", "licence"], licensed)
    return ["## Sources", "", *made_from, "", *table(["source of records", *splits], counts)]


def _sizes(splits: Splits, facts: Mapping[str, Any]) -> list[str]:
    sizes = facts["paper_train"], facts["paper_test"]
    paper = {} if None in sizes else {"train": sizes[0], "test": f"{sizes[1]} with validation"}
    rows = [(name, split.records, len(split.works), paper.get(name, "")) for name, split in splits.items()]
    return ["## Sizes", "", *table(["split", "records", "works", "records in Table 1"], rows)]


def _lengths(task: Task, splits: Splits) -> list[str]:
    head = ["text", "split", "unit", "mean", *(f"{p} %" if p < 100 else "longest" for p in PERCENTILES)]
    rows = [
        (text, name, unit(task, text), f"{split.mean(text):.1f}", *split.percentiles(text))
        for text in TEXTS[task.formulation]
        for name, split in splits.items()
    ]
    return ["## Lengths", "", *table(head, rows)]


def _labels(splits: Splits) -> list[str]:
    """How often each label comes, for tasks whose answers have labels."""
    total = sum((split.labels for split in splits.values()), Counter[str]())
    if not total:
        return []
    named = {name for name, _ in shares(total, LABELS)}
    rows = [
        (name, *(_share(_count(split.labels, name, named), split.labels.total()) for split in splits.values()))
        for name, _ in shares(total, LABELS)
    ]
    return ["## Labels", "", *table(["label", *splits], rows)]


def _count(labels: Counter[str], name: str, named: set[str]) -> int:
    """Of a label, or of all that are not ``named`` where the name stands for them."""
    known = sum(n for label, n in labels.items() if label in named)
    return labels[name] if name in labels or not name.endswith(" others") else labels.total() - known


def _share(count: int, total: int) -> str:
    return f"{count} ({count / total:.1%})" if total else "0"


def _examples(train: Iterable[Record]) -> list[str]:
    lines = [HEADING, ""]
    for row in nsmallest(EXAMPLES, train, key=lambda record: hashlib.sha256(str(record["id"]).encode()).digest()):
        lines += ["```json", json.dumps(dict(row), ensure_ascii=False, indent=2), "```", ""]
    return lines[:-1]
