"""The Chinese set for speaker identification by Chen Jiaxiang and others: blocks of 23 lines.

A block is 21 lines of text, the eleventh the utterance, then the numbers of candidates and that of the speaker,
as ``name_and_alias.txt`` counts. The parts ``train*.txt``, ``dev*.txt`` and ``test*.txt`` are cut from one novel (that
of ``spc_wp``: a task must not have both) and excerpts overlap; a work is a stretch of it, see ``_stretches``.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._speakers import Excerpt, read_names, records

SOURCE = "chenjiaxiang"
PARTS = ("train", "dev", "test")
LINES, TARGET = 21, 10
BLOCK = LINES + 2


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every block of every part; raises DiscoError naming file and line where one is not of the format."""
    names = read_names(folder / "name_and_alias.txt")
    paths = [path for part in PARTS for path in sorted(folder.glob(f"{part}*.txt"))]
    if not paths:
        raise DiscoError(f"{folder} holds no train, dev or test text; check the path of the task's files.")
    return records(SOURCE, [excerpt for path in paths for excerpt in _excerpts(path)], names)


def _excerpts(path: Path) -> Iterator[Excerpt]:
    lines = read_text(path).removesuffix("\n").split("\n")
    if len(lines) % BLOCK:
        raise DiscoError(f"{path} has {len(lines)} lines; a multiple of {BLOCK} is needed: find the block that is cut.")
    for first in range(0, len(lines), BLOCK):
        text = [line.strip() for line in lines[first : first + BLOCK]]
        if not text[-1].isdigit():
            number = first + BLOCK
            raise DiscoError(f"{path}, line {number}: found {text[-1]!r}; the number of a speaker is needed there.")
        yield Excerpt(f"{path.stem}-{first // BLOCK}", text[:LINES], TARGET, text[-1])
