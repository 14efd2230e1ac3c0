"""300-tang-poems-v2: JSON arrays ``extra_poems_part<n>.json``, ``content`` and ``translation`` with line breaks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._poems import lined_up, poem, poet

SOURCE = "300-tang-poems"


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """A record per line, or per poem where its lines do not line up; raises DiscoError when there is no file."""
    files = sorted(folder.glob("extra_poems_part*.json"))
    if not files:
        raise DiscoError(f"{folder} holds no extra_poems_part<n>.json; it must be a copy of the collection.")
    for row in (row for path in files for row in read_json(path)):
        lines = lined_up(row["content"].split("\n"), row["translation"].split("\n"))
        records = poem(task, SOURCE, poet(row["author"], row["title"]), str(row["id"]), lines)
        yield from ((record, None) for record in records)
