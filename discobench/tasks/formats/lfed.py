"""LFED: questions on whole novels, as a table in GBK. It has no passages, so none of it can be used for MRC.

The reader is here to say so, question by question. A work is a novel.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.errors import DiscoError
from discobench.records import record_id
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats._shapes import read_table
from discobench.tasks.mrc import LETTERS

SOURCE = "lfed"
COLUMNS = ["名字", "题目", "选项1", "选项2", "选项3", "选项4", "答案"]


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every question with the reason why it is dropped; raises DiscoError for a file that is not of the format."""
    path = folder / "LFED.csv"
    for number, row in enumerate(read_table(path, _text(path))[1]):
        if list(row) != COLUMNS or None in row.values():
            raise DiscoError(f"{path}, question {number + 1}: columns {', '.join(COLUMNS)} are needed, found {row!r}.")
        choices = [row[column] for column in COLUMNS[2:6] if row[column].strip()]
        answer = row["答案"].strip()
        yield {"id": record_id(SOURCE, row["名字"], number), "source": SOURCE}, _reason(choices, answer)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("gbk")
    except FileNotFoundError as error:
        raise DiscoError(f"{path} does not exist; check the path of the task's files.") from error
    except UnicodeDecodeError as error:
        raise DiscoError(f"{path} is not GBK at byte {error.start}; take the file as it was published.") from error


def _reason(choices: Sequence[str], answer: str) -> str:
    if answer not in list(LETTERS[: len(choices)]):
        return f"answer {answer} is the letter of no choice"
    return "a question on a whole novel has no passage"
