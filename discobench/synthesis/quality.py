"""How good the synthesis of zero pronouns is: its zeros against those that people marked, and why they differ.

Labelled documents with an even number are held out; the rules of resources/zpr and the keys of synthesis.zpr
were tuned on the others.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from discobench.progress import told
from discobench.synthesis.lines import Line
from discobench.synthesis.pronouns import Pronouns
from discobench.synthesis.zeros import Synthesis, unsaid, zeros_of

Forms = Mapping[int, str]
PARTS = ("tuned on", "held out")
MISSED = (
    "no English pronoun of its person",
    "a Chinese pronoun was taken for it",
    "excluded or not placed",
    "another form at its place",
    "another place in the line",
    "outside the inventory",
)
ADDED = ("another form at its place", "another place in the line", "not marked by people")


@dataclass(frozen=True)
class Labelled:
    """A line with people's zeros (offset -> pronoun), its domain, and whether it was tuned on."""

    line: Line
    domain: str
    part: str
    gold: Forms


@dataclass
class Tally:
    """Counts of one domain and part."""

    lines: int = 0
    gold: int = 0
    predicted: int = 0
    found: int = 0
    placed: int = 0
    forms: dict[str, Counter[str]] = field(default_factory=dict)
    missed: Counter[str] = field(default_factory=Counter)
    added: Counter[str] = field(default_factory=Counter)

    def values(self) -> dict[str, Any]:
        """Precision, recall and F1 with their counts, by place and form, by place only and by form."""
        return {
            "lines": self.lines,
            "both": rates(self.found, self.predicted, self.gold),
            "position": rates(self.placed, self.predicted, self.gold),
            "forms": {form: rates(c["found"], c["predicted"], c["gold"]) for form, c in sorted(self.forms.items())},
            "missed": {reason: self.missed[reason] for reason in MISSED},
            "added": {reason: self.added[reason] for reason in ADDED},
        }


def part_of(number: int) -> str:
    """The part of the document with this number, from 1 in its file."""
    return PARTS[number % 2 == 0]


def rates(found: int, predicted: int, gold: int) -> dict[str, float | int]:
    """Precision, recall and F1, 0 where nothing was predicted or marked, with the counts they are made of."""
    precision, recall = (found / whole if whole else 0.0 for whole in (predicted, gold))
    f1 = 2 * found / (predicted + gold) if predicted + gold else 0.0
    counts = {"found": found, "predicted": predicted, "gold": gold}
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4), **counts}


def quality(rows: Sequence[Labelled], synthesis: Synthesis) -> list[dict[str, Any]]:
    """One entry for every domain and part: ``domain``, ``part``, and the values of its ``Tally``."""
    tallies: dict[tuple[str, str], Tally] = {}
    for row in told(rows, "labelled lines", "lines", len(rows)):
        tally = tallies.setdefault((row.domain, row.part), Tally())
        found = zeros_of(row.line, synthesis, Counter())
        _count(tally, row, {zero["offset"]: zero["form"] for zero in found}, synthesis.table)
    ordered = sorted(tallies, key=lambda key: (key[0], PARTS.index(key[1])))
    return [{"domain": domain, "part": part} | tallies[domain, part].values() for domain, part in ordered]


def _count(tally: Tally, row: Labelled, predicted: Forms, table: Pronouns) -> None:
    gold = row.gold
    right = {offset for offset in gold if predicted.get(offset) == gold[offset]}
    tally.lines += 1
    tally.gold += len(gold)
    tally.predicted += len(predicted)
    tally.found += len(right)
    tally.placed += len(gold.keys() & predicted.keys())
    for name, forms in (("gold", gold), ("predicted", predicted), ("found", {o: gold[o] for o in right})):
        for form in forms.values():
            tally.forms.setdefault(form, Counter())[name] += 1
    elsewhere = [{form for o, form in side.items() if o not in right} for side in (gold, predicted)]
    tally.missed.update(_missed(row.line, o, gold[o], predicted, elsewhere[1], table) for o in gold if o not in right)
    tally.added.update(_added(o, predicted[o], gold, elsewhere[0]) for o in predicted if o not in right)


def _missed(line: Line, offset: int, form: str, predicted: Forms, elsewhere: set[str], table: Pronouns) -> str:
    """Why a pronoun that people marked was not recovered, one of ``MISSED``."""
    if form not in table.forms:
        return MISSED[5]
    if offset in predicted:
        return MISSED[3]
    if form in elsewhere:
        return MISSED[4]
    person = table.person(form)
    words = line.en_words
    if not any(word in table.english and table.person(table.english[word]["form"]) == person for word in words):
        return MISSED[0]
    left = unsaid(line, table, why := Counter[str]())
    away = any(table.person(missing.form) == person for missing in left) or why["expletive"] or why["filler"]
    return MISSED[2] if away else MISSED[1]


def _added(offset: int, form: str, gold: Forms, elsewhere: set[str]) -> str:
    """What is wrong with a pronoun that people did not mark, one of ``ADDED``."""
    if offset in gold:
        return ADDED[0]
    return ADDED[1] if form in elsewhere else ADDED[2]


def summary(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """``entries`` without forms, as the page shows them."""
    return [{key: value for key, value in entry.items() if key != "forms"} for entry in entries]
