"""Instances of a test set with the answers of every row, for people to look at.

Where the texts of a task may not be passed on, ids, labels and scores remain, and no text of an instance or an answer
leaves the run: an answer may repeat its source, as those of row ``copy`` do.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any

from discobench.formulations import ChoiceExample, GapsExample
from discobench.tasks.base import Record, Task

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TAGS = {"zh": "zh-Hans"}
"""Languages as pages name them, so that browsers choose the fonts of their script."""
NOTHING = "–"
"""What an answer without content is shown as."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a row answered: (answer, status) and the values per metric by id; ``texts`` whether it may be shown."""

    row: str
    label: str
    predictions: Mapping[str, tuple[Any, str]]
    values: Mapping[str, Mapping[str, float]]
    texts: bool = True


def sample(records: Iterable[Record], size: int) -> list[Record]:
    """``size`` records chosen by a hash of their ids, the same in every run, in that order."""
    return nsmallest(size, records, key=lambda record: hashlib.sha256(str(record["id"]).encode()).digest())


def compared(task: Task, records: Sequence[Record], rows: Sequence[Answers], texts: bool) -> dict[str, Any]:
    """What the page of a task holds for its comparison, as JSON."""
    metric = _metric(task, records, rows)
    return {
        "languages": [TAGS.get(language, language) for language in task.languages],
        "metric": metric,
        "rows": [{"row": row.row, "label": row.label} for row in rows],
        "instances": [_instance(task, record, rows, metric, texts) for record in records],
    }


def _metric(task: Task, records: Sequence[Record], rows: Sequence[Answers]) -> str | None:
    """The first metric of the task that has a value for each instance: others are of documents, or of a model."""
    ids = {record["id"] for record in records}
    known = [row.values for row in rows if row.values]
    return next((m for m in task.metrics if known and all(ids <= set(values.get(m, {})) for values in known)), None)


def _instance(task: Task, record: Record, rows: Sequence[Answers], metric: str | None, texts: bool) -> dict[str, Any]:
    gold = task.gold(record)
    found = gold if task.formulation == "text" else [gold]
    return {
        "id": record["id"],
        "fields": task.fields(record) if texts else {},
        "gold": [shown(task, record, value, texts) for value in found],
        "answers": [_answer(task, record, row, metric, texts) for row in rows],
    }


def _answer(task: Task, record: Record, row: Answers, metric: str | None, texts: bool) -> list[Any]:
    """Text or null where it is withheld, status, score or null."""
    value, status = row.predictions.get(record["id"], (None, "missing"))
    score = row.values.get(metric or "", {}).get(record["id"])
    return [shown(task, record, value, texts and row.texts), status, None if score is None else round(score, 2)]


def shown(task: Task, record: Record, value: Any, texts: bool) -> str | None:
    """An answer for a reader, or None where only a text could be shown and may not be."""
    if task.formulation == "choice":
        return _choice(task, record, value, texts)
    if task.formulation == "gaps":
        return _gaps(task, record, value or [], texts)
    if not texts:
        return None
    return ("、".join(value or []) if task.formulation == "span" else value) or NOTHING


def _choice(task: Task, record: Record, index: int | None, texts: bool) -> str:
    if index is None:
        return NOTHING
    example = task.example(record)
    assert isinstance(example, ChoiceExample)
    return f"{LETTERS[index]}. {example.choices[index]}" if texts else LETTERS[index]


def _gaps(task: Task, record: Record, pairs: Sequence[tuple[int, str]], texts: bool) -> str:
    """The sentence with the pronouns in brackets at their places, or places and pronouns alone."""
    if not texts:
        return "; ".join(f"{offset}: {form}" for offset, form in pairs) or NOTHING
    example = task.example(record)
    assert isinstance(example, GapsExample)
    text = example.text
    for offset, form in sorted(pairs, reverse=True):
        text = f"{text[:offset]}〔{form}〕{text[offset:]}"
    return text
