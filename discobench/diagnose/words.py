"""Words of a text with their places: rjieba's for Chinese, with its part of speech, plain ones for English."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

ENGLISH = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*|\d+|[^\sA-Za-z\d]")
LONGEST = 5
"""Words that an entry of a lexicon may have."""
OPENERS = "“‘「『\"'(（《—-…"


@dataclass(frozen=True, slots=True)
class Word:
    """A word at code points ``start`` to ``end``; ``tag`` is rjieba's, empty for English."""

    start: int
    end: int
    text: str
    tag: str = ""

    @property
    def mark(self) -> bool:
        """Whether it is punctuation or another sign, and no word."""
        return not any(map(str.isalnum, self.text))

    @property
    def noun(self) -> bool:
        """Whether rjieba takes it for a noun or a name."""
        return self.tag.startswith("n")


@lru_cache(maxsize=4096)
def words(text: str, language: str) -> tuple[Word, ...]:
    """The words and marks of a text, blanks left out."""
    return tuple(_chinese(text) if language == "zh" else _spaced(text))


def _spaced(text: str) -> Iterator[Word]:
    return (Word(found.start(), found.end(), found[0]) for found in ENGLISH.finditer(text))


def _chinese(text: str) -> Iterator[Word]:
    import rjieba

    at = 0
    for word, tag in rjieba.tag(text):
        if not word.isspace():
            yield Word(at, at + len(word), word, tag)
        at += len(word)


def find(text: str, language: str, wanted: Collection[str]) -> list[Word]:
    """Where one of ``wanted``, in small letters, stands as whole words in any case; the longest at a place."""
    own, found, first = words(text, language), list[Word](), 0
    while first < len(own):
        ends = (own[n].end for n in range(min(len(own), first + LONGEST) - 1, first - 1, -1))
        start = own[first].start
        end = next((end for end in ends if text[start:end].lower() in wanted), None)
        if end is not None:
            found.append(Word(start, end, text[start:end]))
        first += 1 if end is None else sum(start <= word.start < end for word in own)
    return found


def compound(text: str, word: Word) -> bool:
    """Whether a Chinese noun only describes the one that follows it (眼睛 in 大眼睛娃娃)."""
    then = following(text, word.end, "zh")
    return then is not None and then.start == word.end and then.tag in ("n", "ng")


def common(text: str, word: Word, language: str) -> bool:
    """Whether an English word is no name or title: it has a capital only where the text begins."""
    return language == "zh" or word.text.islower() or begins(text, word.start)


def opens(text: str, at: int) -> bool:
    """Whether a clause may begin at a place: the text does there, or a mark stands before it."""
    before = text[:at].rstrip()
    return not before or not before[-1].isalnum()


def begins(text: str, at: int) -> bool:
    """Whether the text itself begins there, opening marks aside."""
    return not text[:at].strip(OPENERS + " ")


def following(text: str, at: int, language: str) -> Word | None:
    """The word or mark that follows a place, or None at the end."""
    return next((word for word in words(text, language) if word.start >= at), None)


def cased(word: str, model: str) -> str:
    """``word`` with a capital where ``model`` has one."""
    return word[0].upper() + word[1:] if model[:1].isupper() else word
