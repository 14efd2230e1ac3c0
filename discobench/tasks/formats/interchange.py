"""The project's own format: JSON Lines ``train``, ``valid`` and ``test`` with the fields of the task's schema."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import read_jsonl
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.build import complete


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every record; raises DiscoError for a missing file, a wrong field, or a record in the file of another split."""
    for split in splits:
        path = folder / f"{split}.jsonl"
        for row in read_jsonl(path):
            if row.get("split") not in (None, split):
                raise DiscoError(f"{path}: record {row.get('id')!r} has split {row['split']!r}; move it to that file.")
            yield complete(row | {"split": split}, task.schema, str(path)), None
