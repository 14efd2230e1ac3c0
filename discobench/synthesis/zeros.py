"""Zero pronouns recovered from translation: an English pronoun that no Chinese word renders (paper 3.1).

The method follows the usual recipe (Wang et al., 2016): a pronoun aligned to nothing is a candidate, the
alignment of its neighbours gives its place, and a table gives its Chinese form. What the table says
is data: resources/zpr/pronouns.yaml.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from discobench.errors import DiscoError
from discobench.files import fingerprint, read_text
from discobench.schema import empty
from discobench.sieve import Outcome

CONTEXT = 3
REACH = 4
ASPECT = ("了", "过", "着")
ROLES = ("subject", "object", "possessive", "reflexive", "either")


@dataclass(frozen=True)
class Pronouns:
    """The table of pronouns: see resources/zpr/pronouns.yaml."""

    forms: frozenset[str]
    english: Mapping[str, Mapping[str, str]]
    plural_you: frozenset[str]
    realised: Mapping[str, Sequence[str]]
    expletive: Mapping[str, Sequence[str]]
    fillers: Sequence[Sequence[str]]
    questions: frozenset[str]


@dataclass(frozen=True)
class Line:
    """A pair with its words (spans and texts, English in lower case) and links (zh, English)."""

    pair: Mapping[str, Any]
    zh: Sequence[tuple[int, int]]
    zh_words: Sequence[str]
    en: Sequence[tuple[int, int]]
    en_words: Sequence[str]
    links: frozenset[tuple[int, int]]


def load_pronouns(path: Path) -> Pronouns:
    """Read the table; raises DiscoError when an entry has a form or role that is not in the inventory."""
    table = yaml.safe_load(read_text(path))
    forms = frozenset(table["forms"])
    for word, entry in table["english"].items():
        for form in (entry["form"], entry.get("object", entry["form"])):
            if form not in forms:
                raise DiscoError(f"{path}, {word}: form {form!r} is not among `forms`; add it there or correct it.")
        if entry["role"] not in ROLES:
            raise DiscoError(f"{path}, {word}: role {entry['role']!r} is unknown; known: {', '.join(ROLES)}.")
    return Pronouns(
        forms,
        table["english"],
        frozenset(table["plural_you"]),
        table["realised"],
        table["expletive"],
        [phrase.split(" ") for phrase in table["fillers"]],
        frozenset(table["questions"]),
    )


def line_of(pair: Mapping[str, Any], alignment: Mapping[str, Any]) -> Line:
    """A pair and its stored alignment as a ``Line``."""
    zh, en = ([(span["start"], span["end"]) for span in alignment[side]] for side in ("zh", "en"))
    links = frozenset((link["zh"], link["en"]) for link in alignment["links"])
    zh_words = [pair["zh"][a:b] for a, b in zh]
    return Line(pair, zh, zh_words, en, [pair["en"][a:b].lower().replace("’", "'") for a, b in en], links)


def recover(lines: Sequence[Line], table: Pronouns, counts: Counter[str]) -> list[dict[str, Any]]:
    """Records of schema ``zpr``, one a line, with ``CONTEXT`` lines of the episode on each side.

    ``counts`` receives how many pronouns were recovered and why others were not.
    """
    records = []
    for _, rows in groupby(lines, key=lambda line: line.pair["work_id"]):
        episode = list(rows)
        texts = [line.pair["zh"] for line in episode]
        for n, line in enumerate(episode):
            fields = {key: line.pair[key] for key in ("id", "source", "work_id", "language", "split")}
            around = {"before": texts[max(0, n - CONTEXT) : n], "after": texts[n + 1 : n + 1 + CONTEXT]}
            zeros = zeros_of(line, table, counts)
            records.append(empty("zpr") | fields | around | {"domain": "movie", "text": texts[n], "zeros": zeros})
    return records


def thinned(records: Sequence[dict[str, Any]], share: float) -> Iterator[Outcome]:
    """All lines with a zero, and a ``share`` of those without, chosen by a hash of their ids.

    More than half of the zeros that people find in subtitles are not recovered: lines without any teach a model
    to leave out what it should find.
    """
    for record in records:
        drawn = int(fingerprint(record["id"]), 16) / 16**16
        yield record, None if record["zeros"] or drawn < share else "no pronoun was recovered"


def zeros_of(line: Line, table: Pronouns, counts: Counter[str]) -> list[dict[str, Any]]:
    """The zero pronouns of one line, by offset; of two at one offset the first English one is kept."""
    zeros: dict[int, dict[str, Any]] = {}
    missing, free = _missing(line, table), _unaligned(line)
    for place, word in enumerate(line.en_words):
        if word not in table.english:
            continue
        form, role = _form(line, place, table)
        reason = _excluded(line, place, table) or _realised(form, missing, free, table)
        offset = None if reason else _offset(line, place, role, table)
        if offset is not None and _beside(line, offset, table.realised[_person(form, table)]):
            reason, offset = "realised in Chinese", None
        counts[reason or ("no neighbour is aligned" if offset is None else "recovered")] += 1
        if offset is not None:
            missing[_person(form, table)] -= 1
            zeros.setdefault(offset, {"offset": offset, "pronoun": form, "role": role, "in_inventory": True})
    return [zeros[offset] for offset in sorted(zeros)]


def _beside(line: Line, offset: int, words: Sequence[str]) -> bool:
    """Whether one of ``words`` touches ``offset``."""
    return any(offset in span and word in words for span, word in zip(line.zh, line.zh_words, strict=True))


def _unaligned(line: Line) -> Counter[str]:
    linked = {zh for zh, _ in line.links}
    return Counter(word for n, word in enumerate(line.zh_words) if n not in linked)


def _excluded(line: Line, place: int, table: Pronouns) -> str | None:
    words = line.en_words
    if any(en == place for _, en in line.links):
        return "aligned"
    if words[place] == "it" and _expletive(words[place + 1 : place + 4], table):
        return "expletive"
    return "filler" if any(_phrase_at(words, place, phrase) for phrase in table.fillers) else None


def _realised(form: str, missing: Counter[str], free: Counter[str], table: Pronouns) -> str | None:
    """Why a Chinese word says the pronoun after all: its person is not missing, or the very form stands unaligned."""
    if missing[_person(form, table)] > 0 and not free[form]:
        return None
    free[form] -= free[form] > 0
    return "realised in Chinese"


def _expletive(after: Sequence[str], table: Pronouns) -> bool:
    verbs, be, predicates = (table.expletive[key] for key in ("verbs", "be", "predicates"))
    if not after or after[0] in verbs:
        return bool(after)
    return after[0] in be and any(word in predicates for word in after[1:])


def _phrase_at(words: Sequence[str], place: int, phrase: Sequence[str]) -> bool:
    """Whether a filler phrase of ``words`` covers ``place``."""
    size = len(phrase)
    return any(list(words[s : s + size]) == list(phrase) for s in range(max(0, place - size + 1), place + 1))


def _missing(line: Line, table: Pronouns) -> Counter[str]:
    """How many pronouns of each person the English line has more than the Chinese one."""
    english = Counter(_person(table.english[w]["form"], table) for w in line.en_words if w in table.english)
    chinese = Counter({p: sum(w in forms for w in line.zh_words) for p, forms in table.realised.items()})
    return english - chinese


def _person(form: str, table: Pronouns) -> str:
    return next(person for person, words in table.realised.items() if form[0] in words)


def _form(line: Line, place: int, table: Pronouns) -> tuple[str, str]:
    """The Chinese form and role of the pronoun at ``place``."""
    entry = table.english[line.en_words[place]]
    role, form = entry["role"], entry["form"]
    last = _before_mark(line, place)
    if role == "either":
        role = "object" if last else "subject"
    if "object" in entry and last:
        role, form = "object", entry["object"]
    following = line.en_words[place + 1 : place + 2]
    plural = form in ("你", "你的") and bool(set(following) & table.plural_you)
    return (form[0] + "们" + form[1:], role) if plural else (form, role)


def _before_mark(line: Line, place: int) -> bool:
    """Whether a mark or the end of the line follows the English word at ``place``."""
    end = line.en[place][1]
    following = line.pair["en"][end:].lstrip()[:1]
    return not following or not (following.isalnum() or following in "'’")


def _offset(line: Line, place: int, role: str, table: Pronouns) -> int | None:
    """Where the pronoun would stand: before the words that follow it, or after the verb that has it as object."""
    forward = range(place + 1, min(place + 1 + REACH, len(line.en)))
    backward = range(place - 1, max(place - 1 - REACH, -1), -1)
    before = None if (here := _anchor(line, forward)) is None else line.zh[_front(line, place, min(here), table)][0]
    after = None if (here := _anchor(line, backward)) is None else _after(line, max(here))
    first, second = (after, before) if role in ("object", "reflexive") else (before, after)
    return first if first is not None else second


def _anchor(line: Line, places: Sequence[int]) -> list[int] | None:
    """The Chinese words of the nearest aligned English word among ``places``."""
    linked = ([zh for zh, en in line.links if en == place] for place in places)
    return next((words for words in linked if words), None)


def _front(line: Line, place: int, word: int, table: Pronouns) -> int:
    """The first Chinese word of the run that ends with ``word`` and says what English says after ``place``.

    Chinese puts adverbs between subject and verb (I am busy today: 我今天很忙) and leaves question words
    where English fronts them. A run ends at a mark.
    """
    while word and line.zh[word - 1][1] == line.zh[word][0] and _later(line, place, word - 1, table):
        word -= 1
    return word


def _later(line: Line, place: int, word: int, table: Pronouns) -> bool:
    """Whether no English word up to ``place``, question words aside, is said by the Chinese ``word``."""
    said = [en for zh, en in line.links if zh == word]
    return all(en > place or line.en_words[en] in table.questions for en in said)


def _after(line: Line, word: int) -> int:
    follows = word + 1 < len(line.zh) and line.zh_words[word + 1] in ASPECT
    return line.zh[word + follows][1]
