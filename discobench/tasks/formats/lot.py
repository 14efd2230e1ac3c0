"""LOT (Guan et al. 2022): stories in Chinese for TI and TC.

JSON Lines of its sets PlotCom (``story`` with ``<MASK>``, ``plot`` what was there) and OutGen (``story``,
``outline``), in folders of any name; and files ``<part>.target`` in which its baselines write OutGen, where
``<extra_id_1>`` stands before a story. A story is a paragraph. The gap of PlotCom is a record of TI as it stands; all
else is cut into windows. The sets share stories and their parts are not kept: a work is a story, whole.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from discobench.corpus.sentences import sentences
from discobench.corpus.texts import digest
from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.records import record_id
from discobench.schema import empty
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._shapes import read_lines
from discobench.tasks.windows import WindowTask

SOURCE = "lot"
MASK = "<MASK>"
TARGET = "<extra_id_1>"
AROUND = 2
"""Sentences of context on each side of a gap."""


class Story(BaseModel):
    """A line of any of LOT's sets; those with choices have neither a plot nor an outline."""

    story: str
    plot: str | None = None
    outline: list[str] | None = None


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Windows and gaps of every story; raises DiscoError for what is not of the format, or for another task."""
    if not isinstance(task, WindowTask):
        raise DiscoError(f"tasks.{task.name}.files: format lot has no records for this task; name another format.")
    seen: set[str] = set()
    for name, found in _stories(folder):
        whole = found.story.replace(MASK, found.plot or "")
        work = digest(whole)[:16]
        row = empty(task.schema) | {"id": record_id(SOURCE, work, name), "source": SOURCE, "language": "zh"}
        row |= {"work_id": f"{SOURCE}:{work}"}
        if found.plot is None and found.outline is None:
            yield row, "a story with neither a plot nor an outline"
        elif found.plot is not None and found.story.count(MASK) != 1:
            yield row, f"story does not hold {MASK} once"
        elif found.plot is not None and "before" in row:
            yield row | _gap(found.story, found.plot), None
        elif work in seen:
            yield row, "the same story came before"
        else:
            seen.add(work)
            yield from ((record, None) for record in task.records(row | _document(whole)))


def _stories(folder: Path) -> Iterator[tuple[str, Story]]:
    """Every story with a name of its own."""
    tables, targets = sorted(folder.rglob("*.jsonl")), sorted(folder.rglob("*.target"))
    for path in tables:
        for number, story in read_lines(path, Story):
            yield f"{_name(path, folder)}-{number}", story
    told = [(path, number, line) for path in targets for number, line in _lines(path) if line.startswith(TARGET)]
    for path, number, line in told:
        yield f"{_name(path, folder)}-{number}", Story(story=line.removeprefix(TARGET), outline=[])
    if not tables and not told:
        raise DiscoError(
            f"{folder} holds no *.jsonl of LOT, nor a *.target with {TARGET}; check the path of the files."
        )


def _name(path: Path, folder: Path) -> str:
    return "/".join(path.relative_to(folder).with_suffix("").parts)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    return enumerate(read_text(path).removesuffix("\n").split("\n"), start=1)


def _gap(story: str, plot: str) -> dict[str, Any]:
    before, after = story.split(MASK)
    return {"before": _cut(before)[-AROUND:], "target": plot.strip(), "after": _cut(after)[:AROUND], "split": None}


def _cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, "zh")]


def _document(story: str) -> dict[str, Any]:
    text = "".join(story.split("\n"))
    spans = [{"start": start, "end": end} for start, end in sentences(text, "zh")]
    return {"text": text, "sentence_offsets": spans, "split": None}
