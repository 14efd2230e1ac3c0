"""300-tang-poems-v2: JSON arrays ``extra_poems_part<n>.json``, ``content`` and ``translation`` with line breaks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel

from discobench.errors import DiscoError
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._poems import lined_up, poem, poet
from discobench.tasks.formats._shapes import read_shape

SOURCE = "300-tang-poems"


class Poem(BaseModel):
    """A poem and its translation."""

    id: int | str
    title: str
    author: str
    content: str
    translation: str


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """A record per line, or per poem where they do not line up; raises DiscoError for what is not of the format."""
    files = sorted(folder.glob("extra_poems_part*.json"))
    if not files:
        raise DiscoError(f"{folder} holds no extra_poems_part<n>.json; it must be a copy of the collection.")
    for row in (row for path in files for row in read_shape(path, list[Poem])):
        lines = lined_up(row.content.split("\n"), row.translation.split("\n"))
        records = poem(task, SOURCE, poet(row.author, row.title), str(row.id), lines)
        yield from ((record, None) for record in records)
