"""What kinds of characters there are, as a table that a whole batch of text is looked up in."""

import re
from enum import IntFlag
from functools import cache

import numpy as np
from numpy.typing import NDArray

from discobench.corpus.codes import LIMIT, looked_up


class Kind(IntFlag):
    """Kinds that a character can be of, each a bit of the table's entries."""

    BLANK = 1
    WORD = 2
    LETTER = 4
    DIGIT = 8
    HAN = 16
    LATIN = 32
    STOP_ZH = 64
    STOP_EN = 128
    HARD = 256
    CLOSER = 512
    STRAIGHT = 1024
    OPENER = 2048
    LOWER = 4096
    JOINER = 8192
    ODD = 16384
    WIDE = 32768


SCRIPTS = {"zh": Kind.HAN, "en": Kind.LATIN}
STOPS = {"zh": Kind.STOP_ZH, "en": Kind.STOP_EN}

Kinds = NDArray[np.uint16]

SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""What some tools take for the end of a line; here each is a blank inside one."""
INVISIBLE = "\u200b\ufeff\x00"
WIDE = "０-９Ａ-Ｚａ-ｚ"
"""Full-width letters and digits."""
SETS = {
    Kind.BLANK: r"\s",
    Kind.WORD: r"\w",
    Kind.LETTER: r"[^\W\d_]",
    Kind.DIGIT: r"\d",
    Kind.HAN: "[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]",
    Kind.LATIN: "[A-Za-z\u00c0-\u024f]",
    Kind.STOP_ZH: "[。！？!?…]",
    Kind.STOP_EN: "[.!?…]",
    Kind.HARD: "[。！？!?]",
    Kind.CLOSER: r"[”’」』）)】》〉\]]",
    Kind.STRAIGHT: "[\"']",
    Kind.OPENER: r"[“‘\"'(\[_—]",
    Kind.LOWER: "[a-z]",
    Kind.JOINER: "['’-]",
    Kind.ODD: f"[{SEPARATORS}{INVISIBLE}]",
    Kind.WIDE: f"[{WIDE}]",
}
"""Characters of each kind, as regular expressions see them. HARD stops end a sentence wherever they stand."""


@cache
def kinds() -> Kinds:
    """The table [LIMIT + 1] of the kinds of every character."""
    table = np.zeros(LIMIT + 1, np.uint16)
    characters = "".join(map(chr, range(LIMIT + 1)))
    for kind, pattern in SETS.items():
        for match in re.finditer(f"{pattern}+", characters):
            table[match.start() : match.end()] |= np.uint16(kind)
    return table


def kinds_of(points: NDArray[np.uint32]) -> Kinds:
    """The kinds of each code point."""
    return looked_up(kinds(), points)


def are(found: Kinds, kind: Kind) -> NDArray[np.bool_]:
    """Which entries are of a kind, or of one of several."""
    return np.asarray(found & np.uint16(kind), bool)


def joints(found: Kinds) -> NDArray[np.bool_]:
    """What holds a word together: joiners between two word characters."""
    word, between = are(found, Kind.WORD), are(found, Kind.JOINER)
    between[:1] = between[-1:] = False
    between[1:-1] &= word[:-2] & word[2:]
    return between
