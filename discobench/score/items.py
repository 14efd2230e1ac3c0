"""Joining predictions to their instances by id: nothing lost, nothing twice, nothing foreign."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discobench.errors import DiscoError
from discobench.records import unique_by_id
from discobench.tasks.base import Record, Task

SHOWN = 5


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

    Raises DiscoError when ids are missing, foreign or repeated.
    """
    found = unique_by_id(predictions, where)
    known = {record["id"] for record in records}
    missing = [record["id"] for record in records if record["id"] not in found]
    extra = [name for name in found if name not in known]
    if missing or extra:
        raise DiscoError(
            f"{where} must answer each of the {len(records)} test instances once: "
            f"missing {_some(missing)}; not in the test set {_some(extra)}; predict the same test set again."
        )
    return [Item(r["id"], task.gold(r), _answer(task, found[r["id"]]["prediction"]), task.group(r), r) for r in records]


def _answer(task: Task, prediction: Any) -> Any:
    """No text is an empty text: it counts, with the lowest score."""
    return "" if task.formulation == "text" and prediction is None else prediction


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:SHOWN]) or "none"
    return shown if len(names) <= SHOWN else f"{shown} and {len(names) - SHOWN} more"


def statuses(predictions: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many predictions came about in which way."""
    return dict(sorted(Counter(str(line.get("status") or "ok") for line in predictions).items()))
