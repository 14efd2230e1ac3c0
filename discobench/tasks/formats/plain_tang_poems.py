"""tnm/tang-poems: ``poems-plaintext.txt``, poems between lines of hyphens: heading, poet, form, Chinese, English.

The file has lost lines of many poems. A poem is kept, whole, where it has as many lines as its form asks for and as its
translation has.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.corpus.texts import simplified
from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._poems import poem, poet

SOURCE = "tnm-tang-poems"
NAME = "poems-plaintext.txt"
POEM = re.compile(r"(\d+)\. (.+?) / .*\n +(.+?) / .*\n\n(.+)\n((?:.+\n)+)\n((?:.+\n?)+)")
HEADING = re.compile(r"^\d+\. ", re.MULTILINE)
"""What the end of the file has not."""
FORMS = {"絕句": 4, "律詩": 8}
"""How many lines a form has; others have any number."""


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """A record per poem; raises DiscoError for a block that is not of the format."""
    blocks = re.split(r"\n-{3,}\n", read_text(folder / NAME).replace("\r\n", "\n"))
    for number, block in enumerate(filter(HEADING.search, blocks), start=1):
        found = POEM.search(block)
        if found is None:
            raise DiscoError(
                f"{folder / NAME}, block {number} is no poem; a heading, a poet, a form and lines are needed."
            )
        index, title, author, form, zh, en = found.groups()
        sides = [[line.strip() for line in side.strip().split("\n")] for side in (zh, en)]
        pair = ("".join(sides[0]), " ".join(sides[1]))
        wanted = next((lines for name, lines in FORMS.items() if form.strip().endswith(name)), len(sides[0]))
        whole = len(sides[0]) == len(sides[1]) == wanted
        for record in poem(task, SOURCE, poet(simplified(author), simplified(title)), index, [pair]):
            yield record, None if whole else "lines of the poem or of its translation are lost"
