"""Parallel data (schema TRANSLATION): tales for ``nt``, classical lines for ``cct``, poems for ``pt``."""

from random import Random
from typing import Any

from resources.demo.generator.draws import rng, seed
from resources.demo.generator.passages import slots_of
from resources.demo.generator.scenes import capital, scene

Pair = tuple[str, str]
PLURAL_HEADS = {"the white clouds", "the homing birds", "the fallen petals", "the distant hills"}
THIRD_PERSON = {"pass": "passes"}


def tale(draw: Random) -> list[Pair]:
    """A short tale, Chinese and English."""
    zh, en = scene(draw)
    english = {**en, "Time": capital(en["time"]), "a_thing2": _article(en["thing2"])}
    return [(c.format_map(zh), capital(e.format_map(english))) for c, e in draw.choice(seed("translations")["tales"])]


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def anecdote(draw: Random) -> list[Pair]:
    """Five classical lines about the same people, with their modern Chinese."""
    slots = slots_of("classical", draw)
    lines = seed("translations")["classical"]
    chosen = sorted(draw.sample(range(len(lines)), 5))
    return [(lines[i][0].format_map(slots), lines[i][1].format_map(slots)) for i in chosen]


def poem(draw: Random) -> list[Pair]:
    """Four lines of five characters, with their English."""
    words = seed("translations")["poems"]
    heads, tails = draw.sample(words["heads"], 4), draw.sample(words["tails"], 4)
    return [_verse(draw, head, tail) for head, tail in zip(heads, tails, strict=True)]


def _verse(draw: Random, head: list[Any], tail: list[str]) -> Pair:
    link, mark = draw.choice(head[2]), draw.choice("，。")
    phrase = seed("translations")["poems"]["links"][link]
    verb = phrase if head[1] in PLURAL_HEADS else third_person(phrase)
    return f"{head[0]}{link}{tail[0]}{mark}", capital(f"{head[1]} {verb} {tail[1]}{',' if mark == '，' else '.'}")


def third_person(phrase: str) -> str:
    """``shine over`` → ``shines over``."""
    verb, *rest = phrase.split(" ")
    return " ".join([THIRD_PERSON.get(verb, verb + "s"), *rest])


MAKERS = {"nt": (tale, 5), "cct": (anecdote, 5), "pt": (poem, 4)}


def pairs(task: str, split: str, size: int) -> list[dict[str, Any]]:
    """``size`` pairs in whole documents, every document a work of its own split."""
    make, length = MAKERS[task]
    rows: list[dict[str, Any]] = []
    for number in range(-(-size // length)):
        work = f"{task}-{split}-{number}"
        for position, pair in enumerate(make(rng(work))):
            rows.append(_row(task, split, work, position, pair))
    return rows[:size]


def _row(task: str, split: str, work: str, position: int, pair: Pair) -> dict[str, Any]:
    return {
        "id": f"demo:{work}:1:{position}",
        "source": "demo",
        "work_id": work,
        "language": "zh",
        "split": split,
        "document_id": f"demo:{work}:1",
        "position": position,
        "source_text": pair[0],
        "references": [pair[1]],
    }
