"""Chinese-Poetry-Bilingual: JSON arrays of poems with their lines in both languages."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._poems import lined_up, poem, poet

SOURCE = "chinese-poetry-bilingual"


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """A record per line, or per poem where its lines do not line up; raises DiscoError when there is no file."""
    files = sorted(folder.rglob("*.json"))
    if not files:
        raise DiscoError(f"{folder} holds no <dynasty>/<dynasty>.json; it must be a copy of the collection.")
    for path in files:
        for number, row in enumerate(read_json(path), start=1):
            zh, en = row["Chinese"], row["English"]
            lines = lined_up(zh["content"], en["content"])
            records = poem(task, SOURCE, poet(zh["author"], zh["title"]), f"{path.stem}-{number}", lines)
            yield from ((record, None) for record in records)
