"""Contrastive instances: reading, checking, and rendering as examples (paper section 4.2).

A model ranks the candidates of an instance, which differ in one device of cohesion. Where the
candidates stand follows from the task: in the passage (choice), in the target (translation), or in
what a hypothesis that stays the same follows (generation).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from discobench.diagnose import VERSION
from discobench.errors import DiscoError
from discobench.files import fingerprint, read_jsonl
from discobench.formulations import ChoiceExample, Example, TextExample
from discobench.records import beside
from discobench.schema import CONTRASTIVE_FIELDS, TEXT, misfits, schema
from discobench.tasks.base import Task, joined

TYPES = ("repetition", "synonyms", "conjunction", "reference", "substitution", "ellipsis")
TEXTS, EDITS = pa.list_(TEXT), schema("te").field("edits").type
ALWAYS = ("id", "task", "type", "context", "correct", "incorrect")
Instance = Mapping[str, Any]


def candidates(task: Task, instance: Instance, sequence: str = "whole") -> list[Example]:
    """One example per candidate, the correct one first; ids are ``<id>#<n>``.

    ``sequence`` says what a model of completions is forced to write: the candidate and the hypothesis
    given the context (``whole``: for a causal model the whole sequence but for what all candidates
    share), or the hypothesis given context and candidate (``hypothesis``).
    """
    texts = [instance["correct"], *(wrong["text"] for wrong in instance["incorrect"])]
    render = _in_sequence if (kind(task), sequence) == ("source", "whole") else RENDER[kind(task)]
    return [render(task, instance, f"{instance['id']}#{n}", text) for n, text in enumerate(texts)]


def kind(task: Task) -> str:
    """Where candidates stand: ``passage``, ``target`` or ``source``; raises DiscoError if nowhere."""
    if task.formulation == "choice":
        return "passage"
    if task.formulation == "text":
        return "target" if task.languages[0] != task.languages[1] else "source"
    raise DiscoError(f"Task {task.name} ({task.formulation}) cannot be ranked; suites need a choice or text task.")


def _in_passage(task: Task, instance: Instance, name: str, text: str) -> Example:
    passage = _joined(task.languages[0], [instance["context"], text])
    return ChoiceExample(name, passage, instance["question"], tuple(instance["choices"]), instance["answer"])


def _in_target(task: Task, instance: Instance, name: str, text: str) -> Example:
    source = _joined(task.languages[0], [instance["context"], instance["current"]])
    target = _joined(task.languages[1], [*(instance["target_context"] or []), text])
    return TextExample(name, source, *task.languages, target=target)


def _in_source(task: Task, instance: Instance, name: str, text: str) -> Example:
    source = _joined(task.languages[0], [instance["context"], text])
    return TextExample(name, source, *task.languages, target=instance["hypothesis"])


def _in_sequence(task: Task, instance: Instance, name: str, text: str) -> Example:
    target = _joined(task.languages[1], [text, instance["hypothesis"]])
    return TextExample(name, instance["context"], *task.languages, target=target)


RENDER: Mapping[str, Callable[[Task, Instance, str, str], Example]] = {
    "passage": _in_passage,
    "target": _in_target,
    "source": _in_source,
}
NEEDS = {"passage": ("question", "choices", "answer"), "target": ("current",), "source": ("hypothesis",)}


def _joined(language: str, texts: Iterable[str | None]) -> str:
    return joined(language, filter(None, texts))


def read_suite(made: Sequence[Path], path: str | None, task: Task) -> list[Instance]:
    """The instances that the manifest in ``made`` vouches for, or else those of the JSON Lines at ``path``.

    Raises DiscoError naming file, line and field of a fault.
    """
    found = beside(made[0], "suite.jsonl") if made else Path(str(path))
    return check_suite(read_jsonl(found), task, str(found))


def named(suite: Sequence[Instance]) -> str:
    """What an accuracy on a suite is of, for its signature: a digest of the instances, and this stage's version."""
    return f"suite:{fingerprint(suite)}|disco-bench:diagnose {VERSION}"


def check_suite(rows: Iterable[Mapping[str, Any]], task: Task, where: str) -> list[Instance]:
    """The instances of a suite with every field of the schema, absent ones null.

    Raises DiscoError naming file, line (blank ones not counted) and field.
    """
    checked: list[Instance] = []
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        fault = _fault(row, task, seen)
        if fault:
            raise DiscoError(f"{where}, line {number}: {fault}; mend it.")
        seen.add(row["id"])
        checked.append(dict.fromkeys(CONTRASTIVE_FIELDS) | dict(row))
    if not checked:
        raise DiscoError(f"{where} holds no instance; a suite needs at least one.")
    return checked


def _fault(row: Mapping[str, Any], task: Task, seen: set[str]) -> str | None:
    unknown = sorted(set(row) - set(CONTRASTIVE_FIELDS))
    if unknown:
        return f"field {unknown[0]!r} is unknown, the fields are {', '.join(CONTRASTIVE_FIELDS)}"
    for name in (*ALWAYS, *NEEDS[kind(task)]):
        value, wanted = row.get(name), CONTRASTIVE_FIELDS[name]
        if type(value) is not wanted:
            return f"field {name!r} holds {value!r}, a value of type {wanted.__name__} is needed"
        if name != "context" and value in ("", []):
            return f"field {name!r} is empty"
    lists = (
        fault for name in ("choices", "target_context") for fault in misfits(row.get(name), TEXTS, f"field {name!r}")
    )
    return next(lists, None) or _odd_value(row, task, seen) or _odd_candidate(row)


def _odd_value(row: Mapping[str, Any], task: Task, seen: set[str]) -> str | None:
    if row["id"] in seen:
        return f"field 'id' holds {row['id']!r} for the second time"
    if row["task"] != task.name:
        return f"field 'task' holds {row['task']!r}, the suite is for {task.name!r}"
    if row["type"] not in TYPES:
        return f"field 'type' holds {row['type']!r}, one of {', '.join(TYPES)} is needed"
    if kind(task) == "passage" and not 0 <= row["answer"] < len(row["choices"]):
        return f"field 'answer' holds {row['answer']!r}, an index of the {len(row['choices'])} choices is needed"
    return None


def _odd_candidate(row: Mapping[str, Any]) -> str | None:
    for wrong in row["incorrect"]:
        text = wrong.get("text") if isinstance(wrong, dict) else None
        if not text or not isinstance(text, str):
            return f"field 'incorrect' holds {wrong!r}, a candidate with a text is needed"
        if wrong["text"] == row["correct"]:
            return "field 'incorrect' holds the correct candidate"
        if type(wrong.get("class", "")) is not str:
            return f"field 'incorrect' has class {wrong['class']!r}, a text is needed"
        fault = next(misfits(wrong.get("changes"), EDITS, "field 'incorrect' has changes: it"), None)
        if fault:
            return fault
        if wrong.get("changes") and changed(row["correct"], wrong["changes"]) != wrong["text"]:
            return "field 'incorrect' has changes that do not turn the correct candidate into its text"
    return None


def changed(text: str, changes: Sequence[Mapping[str, Any]]) -> str | None:
    """``text`` after its changes; offsets are code points of ``text`` itself. None where one does not fit."""
    if any(None in change.values() for change in changes):
        return None
    for change in sorted(changes, key=lambda c: int(c["start"]), reverse=True):
        if text[change["start"] : change["end"]] != change["from"]:
            return None
        text = text[: change["start"]] + change["to"] + text[change["end"] :]
    return text
