"""Measures and normal forms of text. Chinese is counted in characters, English in words (Table 5)."""

import hashlib
import re
import unicodedata

SEPARATORS = re.compile("[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
"""What some tools take for the end of a line; here each is a blank inside one."""
INVISIBLE = re.compile("[\u200b\ufeff\x00]")
WORD = re.compile(r"\w+(?:['’-]\w+)*")
LETTER = re.compile(r"[^\W\d_]")
SCRIPTS = {
    "zh": re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"),
    "en": re.compile("[A-Za-z\u00c0-\u024f]"),
}


def normalise(text: str) -> tuple[str, int]:
    """NFC without invisible characters, odd separators as blanks; also how many of those there were."""
    text, count = SEPARATORS.subn(" ", text)
    return INVISIBLE.sub("", unicodedata.normalize("NFC", text)), count


def comparable(text: str) -> str:
    """What counts as the same text: NFKC, case folded, letters and digits only."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())


def digest(text: str) -> str:
    """SHA-256 of the comparable form."""
    return hashlib.sha256(comparable(text).encode("utf-8")).hexdigest()


def units(text: str, language: str) -> int:
    """Characters without blanks for zh, words for en."""
    if language == "zh":
        return sum(not character.isspace() for character in text)
    return sum(1 for _ in WORD.finditer(text))


def script_share(text: str, language: str) -> float:
    """Share of letters that belong to the language's script; 0 without letters."""
    letters = LETTER.findall(text)
    own = sum(1 for letter in letters if SCRIPTS[language].match(letter))
    return own / len(letters) if letters else 0.0
