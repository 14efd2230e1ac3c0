"""Chinese stories: books of chapters, each chapter a few scripts about the same people."""

from collections.abc import Mapping
from random import Random
from typing import Any

from resources.demo.generator.draws import rng, seed

DIGITS = "零一二三四五六七八九"
SCRIPTS_A_CHAPTER = 3


def ordinal(number: int) -> str:
    """A chapter's number up to 19 in Chinese characters."""
    return DIGITS[number] if number < 10 else "十" + (DIGITS[number - 10] if number > 10 else "")


def cast(draw: Random) -> dict[str, str]:
    """Who a book is about: hero, friend, rival and elder, with the hero's pronoun."""
    words = seed("lexicon")
    gender, other = draw.sample("mf", 2)
    hero, rival = draw.sample(words["story_people"][gender], 2)
    friend = draw.choice(words["story_people"][other])
    pronoun = "他" if gender == "m" else "她"
    return {"hero": hero, "rival": rival, "friend": friend, "elder": draw.choice(words["story_elders"]), "pro": pronoun}


def setting(draw: Random) -> dict[str, str]:
    """Where and when a script plays and the thing it turns on."""
    words = seed("lexicon")
    place, place2 = draw.sample(words["story_places"], 2)
    single = {name: draw.choice(words[f"story_{name}s"]) for name in ("thing", "time", "trait")}
    return {"place": place, "place2": place2} | single


def told(script: Mapping[str, Any], people: Mapping[str, str], draw: Random) -> list[str]:
    """The sentences of one script."""
    slots = {**people, **setting(draw)}
    return [draw.choice(step).format_map(slots) for step in script["steps"]]


def chapter(number: int, people: Mapping[str, str], draw: Random) -> str:
    """A headed chapter, a sentence or two a line."""
    scripts = draw.sample(seed("scripts"), SCRIPTS_A_CHAPTER)
    lines = [f"第{ordinal(number)}章 {scripts[0]['title']}"]
    for script in scripts:
        lines += paragraphs(told(script, people, draw), draw)
    return "\n".join(lines)


def paragraphs(sentences: list[str], draw: Random) -> list[str]:
    """Sentences joined by ones and twos; speech stands alone."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and "“" not in sentence + lines[-1] and draw.random() < 0.6:
            lines[-1] += sentence
        else:
            lines.append(sentence)
    return lines


def book(name: str, chapters: int) -> list[str]:
    """The chapters of the book called ``name``."""
    draw = rng("zh_novel", name)
    people = cast(draw)
    return [chapter(number, people, draw) for number in range(1, chapters + 1)]
