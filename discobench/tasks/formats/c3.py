"""C3 (Sun et al. 2020): ``c3-m-*.json`` of mixed genres and ``c3-d-*.json`` of dialogues.

A file is a list of documents: paragraphs or turns, questions, and an id that is the file's own. The answer is the text
of a choice. A work is a document; the parts (train, dev, test) are not kept, as dialogues to train on or texts
to test on may be missing.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel

from discobench.records import record_id
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._shapes import existing, read_shape

SOURCE = "c3"
STYLES = {"m": "mixed", "d": "dialogue"}
FILES = tuple(f"c3-{style}-{part}.json" for style in STYLES for part in ("train", "dev", "test"))


class Question(BaseModel):
    """A question whose answer is the text of a choice."""

    question: str
    choice: list[str]
    answer: str


Document = tuple[list[str], list[Question], str]


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every question; raises DiscoError naming file and place where one is not of the format."""
    for path in existing(folder, FILES):
        _, style, part = path.stem.split("-")
        for paragraphs, questions, document in read_shape(path, list[Document]):
            work = f"{style}-{part}-{document}"
            for number, asked in enumerate(questions):
                row = {"id": record_id(SOURCE, work, number), "source": SOURCE, "work_id": f"{SOURCE}:{work}"}
                fields = {
                    "language": "zh",
                    "split": None,
                    "style": STYLES[style],
                    "passage": "\n".join(paragraphs),
                    "question": asked.question,
                    "choices": asked.choice,
                    "answer": asked.choice.index(asked.answer) if asked.answer in asked.choice else None,
                }
                yield row | fields, None if asked.answer in asked.choice else "the answer is none of the choices"
