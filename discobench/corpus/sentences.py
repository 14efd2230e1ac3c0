"""Sentence splitting that keeps a closing quotation mark with its sentence. Offsets are code points."""

import re
from collections.abc import Iterator

Span = tuple[int, int]

CLOSERS = "”’」』）)】》〉]\"'"
STOP = {
    "zh": re.compile(rf"([。！？!?]+[。！？!?…]*|…+)([{re.escape(CLOSERS)}]*)"),
    "en": re.compile(rf"([.!?…]+)([{re.escape(CLOSERS)}]*)(?=\s|$)"),
}
NEXT_EN = re.compile(r"\s+[“‘\"'(\[_—]*[^\W_a-z]")
LAST_WORD = re.compile(r"[A-Za-z]+$")
LONGEST_ABBREVIATION = 12


def sentences(text: str, language: str, abbreviations: frozenset[str] = frozenset()) -> list[Span]:
    """Half-open spans of the sentences of ``text``, without blanks around them; lines end sentences.

    Every character that is not blank lies in exactly one span.
    """
    spans: list[Span] = []
    start = 0
    for line in text.split("\n"):
        spans.extend((start + a, start + b) for a, b in _of_line(line, language, abbreviations))
        start += len(line) + 1
    return spans


def _of_line(line: str, language: str, abbreviations: frozenset[str]) -> Iterator[Span]:
    start = 0
    for match in STOP[language].finditer(line):
        end = match.end() if language == "en" else _end(line, match)
        if _ends(line, match, language, abbreviations):
            yield from _trimmed(line, start, end)
            start = end
    yield from _trimmed(line, start, len(line))


def _end(line: str, match: re.Match[str]) -> int:
    """A straight quotation mark closes only what the line opened: an even one opens the next sentence."""
    end = match.end(1)
    while end < match.end() and (line[end] not in "\"'" or line.count(line[end], 0, end) % 2):
        end += 1
    return end


def _ends(line: str, match: re.Match[str], language: str, abbreviations: frozenset[str]) -> bool:
    dots = match[1].strip("….") == "" and len(match[1]) + match[1].count("…") > 1
    if dots and not match[2]:
        return False
    return language == "zh" or (bool(NEXT_EN.match(line, match.end())) and not _short(line, match, abbreviations))


def _short(line: str, match: re.Match[str], abbreviations: frozenset[str]) -> bool:
    """Whether the stop is an abbreviation's or an initial's (the word I is neither)."""
    before = line[max(0, match.start() - LONGEST_ABBREVIATION) : match.start()]
    word = LAST_WORD.search(before) if match[0] == "." else None
    return word is not None and (word[0] in abbreviations or (len(word[0]) == 1 and word[0] != "I"))


def _trimmed(line: str, start: int, end: int) -> Iterator[Span]:
    piece = line[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = left + len(piece.strip())
    if left < right:
        yield left, right
