"""MRC: machine reading comprehension with choices, Chinese (paper section 3.1)."""

import re
import unicodedata
from collections.abc import Sequence
from random import Random

from discobench.formulations import ChoiceExample
from discobench.tasks.answers import bare, refuses
from discobench.tasks.base import Record, Task, commonest, first_empty

LETTERS = "ABCDE"
NOT = r"(?:[Nn]ot|n't|不是|并非|不选|不应选)"
LETTER = re.compile(rf"(?<![A-Za-z])(?P<no>{NOT}\W*)?(?P<letter>[A-E])(?![A-Za-z'])(?P<article>\s+[a-z])?")
ALONE = re.compile(r"\W*([A-E])\W*", re.IGNORECASE)
TOLD = re.compile(
    r"(?:answer|choice|choose|select|答案|选择|应选|故选|所以选|因此选|正确选项|选)"
    r"(?:\W{0,4}(?:is|would be|should be|option|是|为|应为|应该是|应该为|就是|选项?))*"
    r"\W{0,4}([A-E])(?![A-Za-z'])(?!\s+[a-z]+ )",
    re.IGNORECASE,
)


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
        """A choice as it stands, else the letter (full-width too) that is told, else a choice that is named.

        Of named choices those that are part of another named one do not count.
        """
        text = _plain(bare(answer))
        if not text:
            return None, "empty"
        choices = [_plain(choice) for choice in record["choices"]]
        if choices.count(text) == 1:
            return choices.index(text), "ok"
        letter = _letter(text)
        if letter is not None and letter < len(choices):
            return letter, "ok"
        if refuses(answer):
            return None, "refused"
        found = {choice for choice in choices if choice in text}
        longest = {one for one in found if not any(one in other for other in found - {one})}
        named = [n for n, choice in enumerate(choices) if choice in longest]
        return (named[0], "ok") if len(named) == 1 else (None, "unparsable")

    def group(self, record: Record) -> str:
        """Modern or classical."""
        return str(record["style"])


def _letter(text: str) -> int | None:
    """The index of the letter that stands alone, that is told as the answer, or that comes first and is not denied.

    The article A counts only where there is no other letter.
    """
    found = ALONE.fullmatch(text) or TOLD.search(text)
    if found:
        return LETTERS.index(found[1].upper())
    letters = [one for one in LETTER.finditer(text) if not one["no"]]
    plain = (one for one in letters if one["letter"] != "A" or not one["article"])
    one = next(plain, next(iter(letters), None))
    return LETTERS.index(one["letter"]) if one else None


def _plain(text: str) -> str:
    """``text`` with full-width letters, digits and marks as others, without blanks at its edges."""
    return unicodedata.normalize("NFKC", text).strip()
