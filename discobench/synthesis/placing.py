"""Where a pronoun that was left out would stand: by the alignment of its neighbours, then by a language model.

Chinese leaves a subject out at the start of its clause, after a connective or a word of time; alignment
finds the verb. The model scores the line with the pronoun in every place between the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from discobench.synthesis.alignment import Span, chinese_tokens
from discobench.synthesis.lines import Line
from discobench.synthesis.perplexity import Model, normalise
from discobench.synthesis.pronouns import Pronouns

REACH = 4
ASPECT = ("了", "过", "着")
STRICTER = 2.0
"""Times the cost of distance for pronouns that are no subjects: alignment places these well."""


class Candidate(NamedTuple):
    """A place and form, with log10 p(line with it) - log10 p(line), and what its distance costs."""

    offset: int
    form: str
    gain: float
    cost: float


class Placed(NamedTuple):
    """The offset and form chosen, the gain in log10 p there, and all candidates."""

    offset: int
    form: str
    gain: float
    candidates: Sequence[Candidate]


@dataclass(frozen=True)
class Sentence:
    """A Chinese line as words and marks, and the places between them."""

    text: str

    @cached_property
    def spans(self) -> list[Span]:
        """Of words and marks."""
        return chinese_tokens(self.text)

    @cached_property
    def words(self) -> list[str]:
        """Words and marks."""
        return [self.text[a:b] for a, b in self.spans]

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of each place: before every word, and after the last."""
        return [start for start, _ in self.spans] + [self.spans[-1][1] if self.spans else 0]

    def place(self, offset: int) -> int:
        """The place nearest to an offset."""
        return min(range(len(self.offsets)), key=lambda n: (abs(self.offsets[n] - offset), n))

    def mark(self, n: int) -> bool:
        """Whether word ``n`` is a mark."""
        return not any(character.isalnum() for character in self.words[n])

    def starts(self, n: int) -> bool:
        """Whether a clause starts at place ``n``: after a mark or a blank."""
        return n == 0 or self.mark(n - 1) or self.spans[n - 1][1] < self.offsets[n]


@dataclass(frozen=True)
class Refiner:
    """Moves pronouns by a model of segmented Chinese.

    ``cost`` is in log10 p for each word away from the place that syntax prefers; a pronoun moves over ``window``
    words at most.
    """

    model: Model
    cost: float
    window: int

    def place(self, line: Line, form: str, role: str, offset: int, table: Pronouns) -> Placed | str:
        """The best place, or why there is none."""
        sentence = Sentence(line.pair["zh"])
        if role == "subject":
            places, best = clause(sentence, sentence.place(offset), table)
            if {*sentence.words[places.start : places.stop - 1]} & _pronouns(table):
                return "the clause has a subject"
            if places.stop - 1 - best > self.window:
                return "too far from the start of its clause"
        else:
            best = sentence.place(offset)
            places = beside(sentence, best)
        return self._best(
            sentence, table.candidates(form), places, best, self.cost * (1 if role == "subject" else STRICTER)
        )

    def _best(self, sentence: Sentence, forms: Sequence[str], places: range, best: int, cost: float) -> Placed:
        plain = self._score(sentence.words)
        found = [
            Candidate(
                sentence.offsets[n],
                form,
                self._score([*sentence.words[:n], form, *sentence.words[n:]]) - plain,
                cost * abs(n - best),
            )
            for n in places
            for form in forms
        ]
        chosen = max(found, key=lambda c: (c.gain - c.cost, -c.cost))
        return Placed(chosen.offset, chosen.form, chosen.gain, found)

    def _score(self, words: Sequence[str]) -> float:
        return sum(self.model.score(sentence, bos=True, eos=True) for sentence in normalise(" ".join(words)))


def segmented(text: str) -> str:
    """Words and marks joined by blanks: what the model is trained on."""
    return " ".join(Sentence(text).words)


def clause(sentence: Sentence, home: int, table: Pronouns) -> tuple[range, int]:
    """The places of a subject whose verb is at ``home``, from the start of its clause, and the one it prefers."""
    start = home
    while not sentence.starts(start) and not _embeds(sentence.words[:start], table):
        start -= 1
    best = start
    while best < home and sentence.words[best] in table.places["connectives"] | table.places["times"]:
        best += 1
    return range(start, home + 1), best


def beside(sentence: Sentence, home: int) -> range:
    """``home`` and the places next to it, with no mark between."""
    first = home - (home > 0 and not sentence.mark(home - 1))
    last = home + (home < len(sentence.words) and not sentence.mark(home))
    return range(first, last + 1)


def _embeds(words: Sequence[str], table: Pronouns) -> bool:
    """Whether a clause of its own follows: after 想, 是因为, or after 告诉 and the one who is told."""
    told = len(words) > 1 and words[-1] in _pronouns(table) and words[-2] in table.places["addressing"]
    return told or words[-1] in table.places["embedding"]


def _pronouns(table: Pronouns) -> frozenset[str]:
    return frozenset().union(*table.realised.values()) - {"这", "那"}


def aligned_offset(line: Line, place: int, role: str, table: Pronouns) -> int | None:
    """The offset before the words that follow the pronoun, or after the verb that has it as object."""
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
