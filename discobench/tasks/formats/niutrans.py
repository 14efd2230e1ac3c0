"""NiuTrans Classical-Modern: ``<book>/[<part>/...]<chapter>/source.txt`` beside ``target.txt``, aligned by line."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._pairs import pairs

SOURCE = "niutrans"


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every line of every chapter; the book is the work, the chapter the document.

    Blanks at the edges of lines go; private-use characters, which stand for rare hanzi, stay. Raises
    DiscoError when there is no chapter, or for one whose files have different numbers of lines.
    """
    chapters = sorted(folder.rglob("source.txt"))
    if not chapters:
        raise DiscoError(f"{folder} holds no <book>/<chapter>/source.txt; it must be the folder of the books.")
    for path in chapters:
        yield from ((record, None) for record in _chapter(task, path, path.parent.relative_to(folder)))


def _chapter(task: Task, path: Path, place: Path) -> Iterator[dict[str, Any]]:
    sides = [_lines(path), _lines(path.with_name("target.txt"))]
    if len(sides[0]) != len(sides[1]):
        raise DiscoError(f"{path} has {len(sides[0])} lines and target.txt {len(sides[1])}; align them line by line.")
    if not place.parts:
        raise DiscoError(f"{path} lies in no book; name the folder above it, which holds the books.")
    book, chapter = place.parts[0], "/".join(place.parts[1:]) or "0"
    return pairs(task, SOURCE, book, chapter, zip(*sides, strict=True))


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in read_text(path).removesuffix("\n").split("\n")]
