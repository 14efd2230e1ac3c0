"""Chinese Through Poetry (A. Barnes): ``ctp<n>.md``, headings ``## poet (years) - title`` and stanzas.

A stanza stands there three times, parted by empty lines: in pinyin, in Chinese, in English. Lines may be numbered.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.corpus.texts import simplified
from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._poems import lined_up, poem, poet

SOURCE = "chinese-through-poetry"
POEM = re.compile(r"^## ", re.MULTILINE)
HEADING = re.compile(r"(\S+) \([^)]*\)(?: -)? (.+)")
NUMBER = re.compile(r"^\d+[.:]? +")
CHINESE = re.compile("[\u3400-\u9fff]")


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """A record per line, or per poem where they do not line up; raises DiscoError naming a heading of another form."""
    files = sorted(folder.glob("ctp*.md"))
    if not files:
        raise DiscoError(f"{folder} holds no ctp<n>.md; it must be a copy of the texts.")
    for path in files:
        _, *poems = POEM.split(read_text(path))
        for number, text in enumerate(poems, start=1):
            heading, _, body = text.partition("\n")
            named = HEADING.fullmatch(heading.strip())
            if named is None:
                raise DiscoError(f"{path}: found heading {heading!r}; `## poet (years) - title` is needed.")
            work = poet(simplified(named[1]), simplified(named[2]))
            for record in poem(task, SOURCE, work, f"{path.stem}-{number}", lined_up(*_sides(body))):
                yield record, None


def _sides(body: str) -> tuple[list[str], list[str]]:
    """Lines in Chinese, and those of the block that follows one in Chinese."""
    zh: list[str] = []
    en: list[str] = []
    translated = True
    for block in re.split(r"\n\s*\n", body):
        lines = [NUMBER.sub("", line.strip()) for line in block.strip().split("\n") if line.strip()]
        if CHINESE.search("".join(lines)):
            zh += lines
            translated = False
        elif lines and not translated:
            en += lines
            translated = True
    return zh, en
