"""The project's own format: JSON Lines ``train``, ``valid`` and ``test`` with the fields of the task's schema."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import numbered_jsonl
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.build import complete


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every record, with file and line as ``member`` where the task refuses it.

    Raises DiscoError naming file and line of a wrong field, a split that is not the file's, or an id that an earlier
    line has.
    """
    seen: dict[str, tuple[Path, int]] = {}
    for split in splits:
        path = folder / f"{split}.jsonl"
        for number, row in numbered_jsonl(path):
            where = f"{path}, line {number}"
            if row.get("split") not in (None, split):
                raise DiscoError(f"{where}: record {row.get('id')!r} has split {row['split']!r}; move it to that file.")
            record = complete(row | {"split": split}, task.schema, where)
            first, place = seen.setdefault(record["id"], (path, number))
            if (first, place) != (path, number):
                raise DiscoError(f"{where}: id {record['id']!r} is that of {first}, line {place}; give it its own.")
            reason = task.check(record)
            yield (record | {"member": where} if reason else record), reason
