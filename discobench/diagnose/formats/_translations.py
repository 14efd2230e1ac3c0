"""What contrastive sets of translations share: sentences before, the current one, and candidates for it."""

from collections.abc import Sequence
from typing import Any

from discobench.schema import CONTRASTIVE_FIELDS
from discobench.sieve import Outcome
from discobench.tasks.base import Task, joined

SAME = "a wrong candidate has the text of the right one"


def translation(
    task: Task, id_: str, device: str, source: Sequence[str], before: Sequence[str], candidates: Sequence[str]
) -> Outcome:
    """An instance whose last source sentence is translated; the first of ``candidates`` is right."""
    right, *wrong = candidates
    if right in wrong:
        return {"id": id_, "source": id_.split(":")[0]}, SAME
    fields: dict[str, Any] = dict.fromkeys(CONTRASTIVE_FIELDS)
    fields |= {"id": id_, "task": task.name, "type": device, "target_context": list(before)}
    fields |= {"context": joined(task.languages[0], source[:-1]), "current": source[-1]}
    return fields | {"correct": right, "incorrect": [{"text": text} for text in wrong]}, None
