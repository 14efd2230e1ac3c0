"""PoetMT: JSON Lines of poems, ``src`` and ``ref`` whole and without line breaks."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel

from discobench.errors import DiscoError
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._poems import poem, poet
from discobench.tasks.formats._shapes import read_lines

SOURCE = "poetmt"
NOTE = re.compile(r"\s*注释\s*[：:].*", re.DOTALL)
JOINT = re.compile(r"""(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[,.;:!?…—)”’])(?=["“‘(]?[^\W\d_])(?<!\w[’'])""")
"""Where a line break was lost: a capital after a small letter, or a letter right after a mark."""
END = re.compile(r"[.!?…—)\"'”’]$")
CHINESE = re.compile("[\u3400-\u9fff]")


class Poem(BaseModel):
    """A poem and its translation."""

    title: str
    author: str
    src: str
    ref: str


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """A record per poem; files with ``background`` in their names hold the same poems again and are left out.

    A reference that stops in mid-sentence, or holds Chinese, is dropped. Raises DiscoError for what is
    not of the format.
    """
    files = sorted(path for path in folder.glob("*.jsonl") if "background" not in path.stem)
    if not files:
        raise DiscoError(f"{folder} holds no <collection>.jsonl; it must be PoetMT's folder of poems.")
    for path in files:
        for number, row in read_lines(path, Poem):
            reference = restored(row.ref)
            pair = [(row.src.strip(), reference)]
            for record in poem(task, SOURCE, poet(row.author, row.title), f"{path.stem}-{number}", pair):
                yield record, _fault(reference)


def restored(reference: str) -> str:
    """A reference with blanks where its line breaks were, without the heading of a note at its end."""
    return JOINT.sub(" ", NOTE.sub("", reference)).strip()


def _fault(reference: str) -> str | None:
    if CHINESE.search(reference):
        return "the reference holds Chinese characters"
    return "the reference stops in mid-sentence" if reference and not END.search(reference) else None
