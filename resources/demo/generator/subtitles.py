"""Subtitles with dropped pronouns, and the labels of what was dropped (schema ``zpr``)."""

import re
from random import Random
from typing import Any

from resources.demo.generator.draws import rng, seed
from resources.demo.generator.scenes import capital, scene

MARK = re.compile(r"<([^>|]+)(?:\|(\w+))?>")
BASIC = [*"我你他她它", "我们", "你们", "他们", "她们", "它们"]
INVENTORY = {form + suffix for form in BASIC for suffix in ("", "的", "自己的")}
DOMAINS = ("movie", "qa", "novel")
DROP = 0.6
SUFFIXES = {"subject": "_S", "object": "_O", "possessive": "_Pa", "reflexive": "_R"}

Line = tuple[str, list[dict[str, Any]], str]


def exchange(domain: str, draw: Random, drop: float = DROP) -> list[Line]:
    """Lines of one exchange: Chinese as spoken, the pronouns left out, English."""
    zh, en = scene(draw)
    lines = []
    for chinese, english in draw.choice(seed("exchanges")[domain]):
        before, english_before = opener(domain, draw)
        text, zeros = dropped(before + chinese.format_map(zh), draw, drop)
        lines.append((text, zeros, capital(english_before + after_opener(english_before, english).format_map(en))))
    return lines


def opener(domain: str, draw: Random) -> tuple[str, str]:
    """A word such as ``Well,`` before some lines of speech; narration has none."""
    if domain == "novel" or draw.random() > 0.4:
        return "", ""
    zh, en = draw.choice(seed("exchanges")["openers"])
    return zh, en + " "


def after_opener(before: str, template: str) -> str:
    """The English template with a small first letter after an opener, unless it is ``I`` or a name."""
    if not before or template.startswith(("I ", "{person")):
        return template
    at = 1 if template.startswith("{") else 0
    return template[:at] + template[at].lower() + template[at + 1 :]


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
    spoken = _spoken(name, lines)
    return [zh for zh, _, _ in spoken], [en for _, _, en in spoken]


def labelled_episode(name: str, lines: int) -> tuple[list[str], list[str]]:
    """The same with the pronouns that were left out in their places, as ``<form>_S``."""
    spoken = _spoken(name, lines)
    return [_labels(zh, zeros) for zh, zeros, _ in spoken], [en for _, _, en in spoken]


def _spoken(name: str, lines: int) -> list[Line]:
    draw = rng("episode", name)
    spoken: list[Line] = []
    while len(spoken) < lines:
        spoken += exchange(draw.choices(DOMAINS, [6, 2, 2])[0], draw)
    return spoken


def _labels(text: str, zeros: list[dict[str, Any]]) -> str:
    for zero in reversed(zeros):
        at = zero["offset"]
        text = f"{text[:at]}<{zero['pronoun']}>{SUFFIXES[zero['role']]}{text[at:]}"
    return text


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
