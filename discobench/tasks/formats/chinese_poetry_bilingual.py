"""Chinese-Poetry-Bilingual: JSON arrays of poems with their lines in both languages."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel

from discobench.errors import DiscoError
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._poems import lined_up, poem, poet
from discobench.tasks.formats._shapes import read_shape

SOURCE = "chinese-poetry-bilingual"


class Side(BaseModel):
    """A poem in one language."""

    title: str
    author: str
    content: list[str]


class Poem(BaseModel):
    """A poem in both."""

    Chinese: Side
    English: Side


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """A record per line, or per poem where they do not line up; raises DiscoError for what is not of the format."""
    files = sorted(folder.rglob("*.json"))
    if not files:
        raise DiscoError(f"{folder} holds no <dynasty>/<dynasty>.json; it must be a copy of the collection.")
    for path in files:
        for number, row in enumerate(read_shape(path, list[Poem]), start=1):
            zh = row.Chinese
            lines = lined_up(zh.content, row.English.content)
            records = poem(task, SOURCE, poet(zh.author, zh.title), f"{path.stem}-{number}", lines)
            yield from ((record, None) for record in records)
