"""ZPR: zero pronoun recovery, Chinese (paper section 3.1, Table 12)."""

import re
from collections.abc import Sequence
from random import Random

from discobench.formulations import GapsExample
from discobench.tasks.answers import bare, quoted, refuses, strip_quotes
from discobench.tasks.base import Record, Task, commonest, first_empty

PERSONS = ("我", "你", "他", "她", "它", "我们", "你们", "他们", "她们", "它们")
FORMS = tuple(person + suffix for suffix in ("", "的", "自己的") for person in PERSONS)
"""The 30 forms of Table 12: ten persons as basic, possessive and reflexive pronouns. The table
prints the possessives of the first and second person plural in each other's place."""

MARK = re.compile(r"<([^<>]*)>")
NONE = re.compile(
    r"\W*(?:none|nothing|no (?:left-out |omitted |dropped )?pronouns?\b[\w\s-]*|无|没有|不需要补充"
    r"|没有?(?:被)?省略(?:的)?(?:任何)?代?词?)\W*",
    re.IGNORECASE,
)
BRACKETS = str.maketrans("＜＞〈〉", "<><>")
ENDS = "。.！!？?…"
Zeros = list[tuple[int, str]]


class ZeroPronounRecovery(Task):
    """Recover omitted pronouns, their place and their form."""

    name = "zpr"
    formulation = "gaps"
    languages = ("zh", "zh")
    schema = "zpr"
    metrics = ("f1", "precision", "recall")
    forms = FORMS

    def check(self, record: Record) -> str | None:
        """Every zero must stand in a gap of the text, at most one to a gap."""
        offsets = [zero["offset"] for zero in record["zeros"] or []]
        if any(offset is None or not 0 <= offset <= len(record["text"] or "") for offset in offsets):
            return "an offset of zeros lies outside the text"
        if not all((zero["pronoun"] or "").strip() for zero in record["zeros"] or []):
            return "a pronoun of zeros is empty"
        odd = next((z for z in record["zeros"] or [] if z["in_inventory"] not in (None, z["pronoun"] in FORMS)), None)
        if odd:
            return f"in_inventory of zeros says {odd['in_inventory']} of {odd['pronoun']!r}"
        if len(offsets) != len(set(offsets)):
            return "two zeros stand in the same gap"
        return first_empty(record, "text")

    def example(self, record: Record) -> GapsExample:
        """The sentence with the lines around it; forms outside the inventory cannot be learned."""
        labels = tuple((offset, form) for offset, form in self.gold(record) if form in FORMS)
        return GapsExample(record["id"], record["text"], "".join(record["before"]), "".join(record["after"]), labels)

    def gold(self, record: Record) -> Zeros:
        """(offset, pronoun) of every zero, those outside the inventory too."""
        return sorted((zero["offset"], zero["pronoun"]) for zero in record["zeros"])

    def baseline(self, name: str, train: Sequence[Record], records: Sequence[Record], rng: Random) -> list[Zeros]:
        """The commonest form at the sentence's start, nothing at all, or any form in any gap."""
        if name == "copy":
            return [[] for _ in records]
        if name == "random":
            return [[(rng.randint(0, len(record["text"])), rng.choice(FORMS))] for record in records]
        form = commonest([form for record in train for _, form in self.gold(record) if form in FORMS] or FORMS)
        return [[(0, form)] for _ in records]

    def labels(self, record: Record) -> list[str]:
        """Every form; those outside the inventory as one."""
        forms = [form if form in FORMS else "outside the inventory" for _, form in self.gold(record)]
        return forms or ["no zero pronoun"]

    def fields(self, record: Record) -> dict[str, str]:
        """``before``, ``text`` and ``after``."""
        return {"before": "".join(record["before"]), "text": record["text"], "after": "".join(record["after"])}

    def parse(self, answer: str, record: Record) -> tuple[Zeros, str]:
        """The sentence with recovered pronouns in angle brackets, or the word none."""
        text = bare(answer)
        if NONE.fullmatch(text):
            return [], "ok"
        for line in (text, *map(bare, text.split("\n"))):
            for told in (line, _mended(line, record["text"])):
                if told and _same(MARK.sub("", told), record["text"]):
                    return [(o, form) for o, form in _marked(told) if o <= len(record["text"])], "ok"
        return [], "empty" if not text else "refused" if refuses(answer) else "unparsable"

    def units(self, record: Record, answer: Zeros) -> list[str]:
        """Every gap of the text, with its form or nothing."""
        forms = dict(answer)
        return [forms.get(gap, "") for gap in range(len(record["text"]) + 1)]

    def group(self, record: Record) -> str:
        """The domain."""
        return str(record["domain"])


def _mended(line: str, text: str) -> str:
    """A line with the brackets that were asked for, without quotation marks, blanks and stars that the text has not."""
    line = line if quoted(text) else strip_quotes(line)
    line = line.translate(BRACKETS)
    line = line if "*" in text else line.replace("*", "")
    return line if re.search(r"\s", text) else re.sub(r"\s+", "", line)


def _same(told: str, text: str) -> bool:
    """Whether two sentences differ in the mark at their end only."""
    return told == text or (told.rstrip(ENDS) == text.rstrip(ENDS) != "")


def _marked(text: str) -> Zeros:
    """Offsets into the text without marks, and the forms inside them."""
    zeros: Zeros = []
    removed = 0
    for match in MARK.finditer(text):
        zeros.append((match.start() - removed, match.group(1)))
        removed += len(match.group(0))
    return [(offset, form) for offset, form in zeros if form in FORMS]
