"""Measures and normal forms of text. Chinese is counted in characters, English in words (Table 5)."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Literal

import numpy as np
import opencc
from numpy.typing import NDArray

from discobench.corpus.characters import INVISIBLE, SCRIPTS, SEPARATORS, WIDE, Kind, Kinds, are, joints, kinds_of
from discobench.corpus.codes import Codes, codes

Width = Literal["keep", "letters", "all"]
Counts = NDArray[np.int64]

ODD = re.compile(f"[{SEPARATORS}]")
UNSEEN = re.compile(f"[{INVISIBLE}]")
WORD = re.compile(r"\w+(?:['’-]\w+)*")
FULL = {"letters": re.compile(f"[{WIDE}]+"), "all": re.compile("[\uff01-\uff5e\u3000]+")}
LONG = 1_000
"""Flags of texts that have as many characters are counted faster one by one."""
CASELESS = np.uint16(Kind.LETTER | Kind.HAN)
"""Letters of which only the second bit is not set may have a case; digits have none."""
NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def normalise(text: str) -> tuple[str, int]:
    """NFC without invisible characters, odd separators as blanks; also how many of those there were."""
    text, count = ODD.subn(" ", text)
    return UNSEEN.sub("", unicodedata.normalize("NFC", text)), count


def narrowed(text: str, width: Width) -> str:
    """Full-width letters and digits, or full-width marks and blanks too, as half-width ones."""
    return text if width == "keep" else FULL[width].sub(lambda match: match[0].translate(NARROW), text)


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def simplified(text: str) -> str:
    """Traditional characters as simplified ones, by OpenCC's words and characters."""
    return str(_converter().convert(text))


def comparables(batch: Codes, kinds: Kinds) -> Iterator[str]:
    """What counts as the same text: letters and digits only, NFKC, case folded."""
    places = np.flatnonzero(are(kinds, Kind.WORD) & (batch.points != ord("_")))
    text = batch.points.take(places).tobytes().decode("utf-32-le")
    cased = np.diff(batch.before(np.flatnonzero((kinds & CASELESS) == Kind.LETTER))) > 0
    for (start, end), fold in zip(pairwise(batch.before(places).tolist()), cased.tolist(), strict=True):
        form = unicodedata.normalize("NFKC", text[start:end])
        yield form.casefold() if fold else form


def comparable(text: str) -> str:
    """What counts as the same text as this one."""
    batch = codes([text])
    return next(comparables(batch, kinds_of(batch.points)))


def sha256(text: str) -> str:
    """Hex digest of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def digest(text: str) -> str:
    """SHA-256 of the comparable form."""
    return sha256(comparable(text))


def counted(batch: Codes, flags: NDArray[np.bool_]) -> Counts:
    """How many characters of each text have a flag; no text of the batch takes no character."""
    if len(flags) < LONG * len(batch.bounds):
        return np.add.reduceat(flags.view(np.uint8), batch.bounds[:-1], dtype=np.int64)
    spans = pairwise(batch.bounds.tolist())
    return np.fromiter((np.count_nonzero(flags[start:end]) for start, end in spans), np.int64)


def unit_counts(batch: Codes, kinds: Kinds, language: str) -> Counts:
    """Characters without blanks for zh, words for en, of each text."""
    if language == "zh":
        return counted(batch, ~are(kinds, Kind.BLANK))
    word = are(kinds, Kind.WORD)
    begins = word.copy()
    begins[1:] &= ~word[:-1]
    return counted(batch, begins) - counted(batch, joints(kinds))


def units(text: str, language: str) -> int:
    """Characters without blanks for zh, words for en."""
    batch = codes([text], "\n")
    return int(unit_counts(batch, kinds_of(batch.points), language)[0])


def script_share(text: str, language: str) -> float:
    """Share of letters that belong to the language's script; 0 without letters."""
    kinds = kinds_of(codes([text]).points)
    letters = int(are(kinds, Kind.LETTER).sum())
    return int(are(kinds, SCRIPTS[language]).sum()) / letters if letters else 0.0
