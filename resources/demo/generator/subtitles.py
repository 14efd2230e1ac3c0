"""Subtitles with dropped pronouns, and the labels of what was dropped (schema ``zpr``)."""

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from resources.demo.generator.draws import rng, seed
from resources.demo.generator.scenes import capital, scene

MARK = re.compile(r"<([^>|]+)(?:\|(\w+))?>")
BASIC = [*"我你他她它", "我们", "你们", "他们", "她们", "它们"]
INVENTORY = {form + suffix for form in BASIC for suffix in ("", "的", "自己的")}
DOMAINS = ("movie", "qa", "novel")
DROP = 0.6

Line = tuple[str, list[dict[str, Any]], str]


def exchange(domain: str, draw: Random, drop: float = DROP) -> list[Line]:
    """Lines of one exchange: Chinese as spoken, the pronouns left out, English."""
    zh, en = scene(draw)
    lines = draw.choice(seed("exchanges")[domain])
    return [(*dropped(chinese.format_map(zh), draw, drop), _english(english, en)) for chinese, english in lines]


def _english(template: str, slots: Mapping[str, str]) -> str:
    return capital(template.format_map(slots))


def dropped(marked: str, draw: Random, drop: float) -> tuple[str, list[dict[str, Any]]]:
    """Leave out each marked pronoun with probability ``drop``; offsets are into the text that is left."""
    text, zeros, at = "", [], 0
    for mark in MARK.finditer(marked):
        text += marked[at : mark.start()]
        at = mark.end()
        if draw.random() < drop:
            zeros.append(_zero(len(text), mark[1], mark[2]))
        else:
            text += mark[1]
    return text + marked[at:], zeros


def _zero(offset: int, pronoun: str, role: str | None) -> dict[str, Any]:
    role = role or ("possessive" if pronoun.endswith("的") else "subject")
    return {"offset": offset, "pronoun": pronoun, "role": role, "in_inventory": pronoun in INVENTORY}


def episode(name: str, lines: int) -> tuple[list[str], list[str]]:
    """Chinese and English lines of one episode, aligned."""
    draw = rng("episode", name)
    spoken: list[Line] = []
    while len(spoken) < lines:
        spoken += exchange(draw.choices(DOMAINS, [6, 2, 2])[0], draw)
    return [zh for zh, _, _ in spoken], [en for _, _, en in spoken]


def recoveries(split: str, size: int, works: int) -> list[dict[str, Any]]:
    """Labelled sentences in the context of their exchange."""
    rows: list[dict[str, Any]] = []
    for n in range(size):
        work = f"zpr-{split}-{n % works}"
        rows.append(_labelled(rng(work, n), n, {"source": "demo", "work_id": work, "language": "zh", "split": split}))
    return rows


def _labelled(draw: Random, n: int, common: dict[str, Any]) -> dict[str, Any]:
    domain = DOMAINS[n % 3]
    lines = exchange(domain, draw, 0.45)
    at = draw.randrange(len(lines))
    text, zeros, _ = lines[at]
    spoken = [line for line, _, _ in lines]
    labels = {"domain": domain, "before": spoken[:at], "after": spoken[at + 1 :], "text": text, "zeros": zeros}
    return {"id": f"demo:{common['work_id']}:{n}"} | common | labels
