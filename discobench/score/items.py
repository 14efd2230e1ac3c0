"""Joining predictions to their instances by id: nothing lost, nothing twice, nothing foreign."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from discobench.errors import DiscoError
from discobench.files import read_jsonl
from discobench.formulations import ChoiceExample, GapsExample
from discobench.records import beside, listed, unique_by_id
from discobench.schema import INT, TEXT, misfits
from discobench.tasks.base import Record, Task

SHOWN = 5
PREDICTIONS = "predictions.jsonl"
AGAIN = "delete decode.balance.json beside it and rerun, to predict the same test set again"
ANSWERS = {"text": TEXT, "choice": INT, "span": pa.list_(TEXT)}
"""What a prediction holds by formulation; that of ``gaps`` is a list of [offset, form]."""


@dataclass(frozen=True, slots=True)
class Item:
    """One instance with its answer: ``gold`` and ``prediction`` are typed by the task's formulation.

    ``group`` is the document, domain or style; ``record`` the whole test record.
    """

    id: str
    gold: Any
    prediction: Any
    group: str
    record: Record


def join(task: Task, records: Sequence[Record], predictions: Iterable[Mapping[str, Any]], where: str) -> list[Item]:
    """Items in the order of ``records``; ``where`` names the file of predictions.

    Raises DiscoError when ids are missing, foreign or repeated, or an answer is none of those that an instance allows.
    """
    found = unique_by_id(predictions, where, AGAIN)
    known = {record["id"] for record in records}
    missing = [record["id"] for record in records if record["id"] not in found]
    extra = [name for name in found if name not in known]
    if missing or extra:
        raise DiscoError(
            f"{where} must answer each of the {len(records)} test instances once: "
            f"missing {_some(missing)}; not in the test set {_some(extra)}; {AGAIN}."
        )
    answers = {record["id"]: _answer(task, found[record["id"]], record, where) for record in records}
    return [Item(r["id"], task.gold(r), answers[r["id"]], task.group(r), r) for r in records]


def answered(task: Task, records: Sequence[Record], manifest: Path) -> tuple[list[Item], dict[str, int]]:
    """``join`` with the predictions that ``manifest`` lists, and their statuses.

    Raises DiscoError also when they are not those that were made: ids come first, since they name the record.
    """
    path = listed(manifest, PREDICTIONS)
    lines = read_jsonl(path)
    items = join(task, records, lines, str(path))
    beside(manifest, PREDICTIONS)
    return items, statuses(lines)


def _answer(task: Task, line: Mapping[str, Any], record: Record, where: str) -> Any:
    """No text is an empty text: it counts, with the lowest score. Raises DiscoError for what cannot be an answer."""
    fault = answer_fault(task, line, record)
    if fault:
        raise DiscoError(f"{where}: id {line['id']!r}: {fault}; {AGAIN}.")
    value = line["prediction"]
    return "" if task.formulation == "text" and value is None else value


def answer_fault(task: Task, line: Mapping[str, Any], record: Record) -> str | None:
    """Why the answer in ``line`` is none that ``record`` allows, or None."""
    if "prediction" not in line:
        return "it has no field 'prediction'"
    value = line["prediction"]
    if task.formulation == "gaps":
        pairs = value if isinstance(value, list) else [value] * (value is not None)
        faults: Iterator[str] = (f"prediction holds {p!r}, [offset, form] is needed" for p in pairs if not _pair(p))
    else:
        faults = misfits(value, ANSWERS[task.formulation], "prediction")
    return next(iter(faults), None) or _outside(task, value, record)


def _outside(task: Task, value: Any, record: Record) -> str | None:
    """What a prediction holds that the instance does not offer: a choice, a gap, a form of the inventory."""
    if value is None or task.formulation not in ("choice", "gaps"):
        return None
    example = task.example(record)
    if isinstance(example, ChoiceExample):
        here = 0 <= value < len(example.choices)
        return None if here else f"prediction holds {value}, an index of {len(example.choices)} choices is needed"
    assert isinstance(example, GapsExample)
    gaps = len(example.text) + 1
    odd = next((pair for pair in value if not 0 <= pair[0] < gaps or pair[1] not in task.forms), None)
    return f"prediction holds {odd!r}, one of {gaps} gaps and a form of the inventory are needed" if odd else None


def _pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and [type(part) for part in value] == [int, str]


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:SHOWN]) or "none"
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"


def statuses(predictions: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many predictions came about in which way."""
    return dict(sorted(Counter(str(line.get("status") or "ok") for line in predictions).items()))
