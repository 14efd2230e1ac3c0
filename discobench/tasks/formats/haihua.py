"""The Haihua challenge of 2021: ``train.json`` and others with lettered choices and the answer's letter.

A file is a list of passages, each with questions whose ``Q_id`` is the passage's number and two digits of its own. A
work is a passage. Questions without an answer (the challenge's own test) are dropped.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from discobench.records import record_id
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._shapes import existing, read_shape
from discobench.tasks.mrc import LETTERS

SOURCE = "haihua"
FILES = ("train.json", "validation.json", "test.json")
LETTERED = re.compile(r"\s*([A-E])[．.、:：\s]\s*(.*)", re.DOTALL)


class Question(BaseModel):
    """A question with choices such as ``A．…``."""

    Q_id: str
    Question: str
    Choices: list[str]
    Answer: str | None = None


class Passage(BaseModel):
    """A text, its kind (a code of the challenge's) and its questions."""

    Content: str
    Type: str | None = None
    Questions: list[Question]


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every question; raises DiscoError naming file and place where one is not of the format."""
    for path in existing(folder, FILES):
        for passage in read_shape(path, list[Passage]):
            for asked in passage.Questions:
                work = f"{path.stem}-{asked.Q_id[:-2]}"
                row = {"id": record_id(SOURCE, work, asked.Q_id), "source": SOURCE, "work_id": f"{SOURCE}:{work}"}
                common = {"language": "zh", "split": None, "style": passage.Type, "passage": passage.Content}
                reason, fields = _fields(asked)
                yield row | common | {"question": asked.Question} | fields, reason


def _fields(asked: Question) -> tuple[str | None, dict[str, Any]]:
    found = [LETTERED.fullmatch(choice) for choice in asked.Choices]
    letters = "".join(match[1] for match in found if match)
    if None in found or letters != LETTERS[: len(found)]:
        return "choices are not lettered in order", {}
    if asked.Answer is None:
        return "no answer is given", {}
    if asked.Answer not in set(letters):
        return f"answer {asked.Answer} is the letter of no choice", {}
    return None, {"choices": [match[2] for match in found if match], "answer": letters.index(asked.Answer)}
