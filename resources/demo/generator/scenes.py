"""Slots of the bilingual templates and the words that fill them."""

from collections.abc import Mapping
from random import Random

from resources.demo.generator.draws import seed

ENGLISH = {"m": {"he": "he", "He": "He", "his": "his", "him": "him"}}
ENGLISH["f"] = {"he": "she", "He": "She", "his": "her", "him": "her"}
PRONOUN = {"m": "他", "f": "她"}

Sides = tuple[Mapping[str, str], Mapping[str, str]]


def scene(draw: Random) -> Sides:
    """Slot values in Chinese and in English: two people, places, things and times, and what follows from them."""
    words = seed("lexicon")
    zh: dict[str, str] = {}
    en: dict[str, str] = {}
    for kind in ("person", "place", "thing", "time"):
        entries = draw.sample(words["people" if kind == "person" else f"{kind}s"], 2)
        for suffix, entry in zip(("", "2"), entries, strict=True):
            zh[kind + suffix], en[kind + suffix] = entry[0], entry[1]
            if kind == "person":
                _person(zh, en, suffix, entry[2])
            if kind == "thing":
                zh["cl" + suffix] = entry[2]
    _extras(draw, zh, en)
    return zh, en


def _person(zh: dict[str, str], en: dict[str, str], suffix: str, gender: str) -> None:
    zh["ta" + suffix] = PRONOUN[gender]
    zh["gender" + suffix] = gender
    en.update({word + suffix: form for word, form in ENGLISH[gender].items()})


def _extras(draw: Random, zh: dict[str, str], en: dict[str, str]) -> None:
    kin = draw.choice(seed("exchanges")["kin"][zh["gender"]])
    skill = draw.choice(seed("exchanges")["skills"])
    zh["kin"], en["kin_en"] = kin
    zh["skill"], en["skill_en"] = skill
    en["a_thing"] = ("an " if en["thing"][0] in "aeiou" else "a ") + en["thing"]


def capital(text: str) -> str:
    """English with its first letter, behind a quotation mark or not, in upper case."""
    at = 1 if text.startswith('"') else 0
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]
