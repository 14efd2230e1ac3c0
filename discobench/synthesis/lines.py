"""A pair of subtitle lines with its words and their links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Line:
    """A pair with its words (spans and texts, English in lower case) and links (zh, English)."""

    pair: Mapping[str, Any]
    zh: Sequence[tuple[int, int]]
    zh_words: Sequence[str]
    en: Sequence[tuple[int, int]]
    en_words: Sequence[str]
    links: frozenset[tuple[int, int]]


def line_of(pair: Mapping[str, Any], alignment: Mapping[str, Any]) -> Line:
    """A pair and its stored alignment as a ``Line``."""
    zh, en = ([(span["start"], span["end"]) for span in alignment[side]] for side in ("zh", "en"))
    links = frozenset((link["zh"], link["en"]) for link in alignment["links"])
    zh_words = [pair["zh"][a:b] for a, b in zh]
    return Line(pair, zh, zh_words, en, [pair["en"][a:b].lower().replace("’", "'") for a, b in en], links)
