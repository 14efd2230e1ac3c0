"""MRC: machine reading comprehension with choices, Chinese (paper section 3.1)."""

import re
import unicodedata
from collections.abc import Sequence
from random import Random

from discobench.formulations import ChoiceExample
from discobench.tasks.base import Record, Task, commonest, first_empty

LETTERS = "ABCDE"
LETTER = re.compile(r"(?<![A-Za-z])([A-Ea-e])(?![A-Za-z])")


class ReadingComprehension(Task):
    """Choose the one right answer of two to five."""

    name = "mrc"
    formulation = "choice"
    languages = ("zh", "zh")
    schema = "mrc"
    metrics = ("accuracy",)

    def check(self, record: Record) -> str | None:
        """Two to five choices that are not empty, and one answer among them."""
        choices = record["choices"] or []
        if not 2 <= len(choices) <= 5 or not all(choice.strip() for choice in choices):
            return f"choices must hold two to five texts that are not empty, found {len(choices)}"
        if record["answer"] is None or not 0 <= record["answer"] < len(choices):
            return f"answer {record['answer']!r} is not an index of choices"
        if choices.count(choices[record["answer"]]) > 1:
            return "two choices have the text of the answer"
        return first_empty(record, "passage", "question")

    def example(self, record: Record) -> ChoiceExample:
        """As it stands."""
        return ChoiceExample(
            record["id"], record["passage"], record["question"], tuple(record["choices"]), record["answer"]
        )

    def gold(self, record: Record) -> int:
        """Index of the right choice."""
        return int(record["answer"])

    def baseline(self, name: str, train: Sequence[Record], records: Sequence[Record], rng: Random) -> list[int]:
        """The commonest index of training answers (or the last choice where there are fewer), or any."""
        if name == "random":
            return [rng.randrange(len(record["choices"])) for record in records]
        index = commonest([record["answer"] for record in train])
        return [min(index, len(record["choices"]) - 1) for record in records]

    def labels(self, record: Record) -> list[str]:
        """The answer's letter and how many choices there are."""
        return [f"{LETTERS[record['answer']]} of {len(record['choices'])}"]

    def fields(self, record: Record) -> dict[str, str]:
        """``passage``, ``question`` and ``choices`` with a letter each."""
        choices = "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, record["choices"], strict=False))
        return {"passage": record["passage"], "question": record["question"], "choices": choices}

    def parse(self, answer: str, record: Record) -> tuple[int | None, str]:
        """A choice as it stands, else the first letter that stands alone (full-width too), else a choice that is named.

        Of named choices those that are part of another named one do not count.
        """
        text = _plain(answer)
        if not text:
            return None, "empty"
        choices = [_plain(choice) for choice in record["choices"]]
        if choices.count(text) == 1:
            return choices.index(text), "ok"
        letters = [LETTERS.index(found.upper()) for found in LETTER.findall(text)]
        if letters and letters[0] < len(choices):
            return letters[0], "ok"
        found = {choice for choice in choices if choice in text}
        longest = {one for one in found if not any(one in other for other in found - {one})}
        named = [n for n, choice in enumerate(choices) if choice in longest]
        return (named[0], "ok") if len(named) == 1 else (None, "unparsable")

    def group(self, record: Record) -> str:
        """Modern or classical."""
        return str(record["style"])


def _plain(text: str) -> str:
    """``text`` with full-width letters, digits and marks as others, without blanks at its edges."""
    return unicodedata.normalize("NFKC", text).strip()
