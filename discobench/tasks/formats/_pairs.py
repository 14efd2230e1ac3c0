"""Texts beside their translations, line by line: what the formats of NT, CCT and PT make of them."""

from collections.abc import Iterable, Iterator
from typing import Any

from discobench.records import record_id
from discobench.schema import empty
from discobench.tasks.base import Task

Pair = tuple[str, str]


def pairs(
    task: Task, source: str, work: str, document: str, lines: Iterable[Pair], work_id: str | None = None
) -> Iterator[dict[str, Any]]:
    """A record per line of a document and its translation, its split left open.

    The work is ``<source>:<work>`` unless it has another id, under which several sources know it.
    """
    own = work_id or record_id(source, work, "").removesuffix(":")
    for position, (text, translation) in enumerate(lines):
        yield empty(task.schema) | {
            "id": record_id(source, work, document, position),
            "source": source,
            "work_id": own,
            "language": task.languages[0],
            "document_id": record_id(source, work, document),
            "position": position,
            "source_text": text,
            "references": [translation],
        }
