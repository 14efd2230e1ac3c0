"""What the collections of poems share: the poet is the work, so that no poem of two collections is in two splits.

Titles and first lines of one poem differ between collections; its poet hardly ever does.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discobench.tasks.base import Task
from discobench.tasks.formats._pairs import Pair, pairs

NAMELESS = ("", "无名氏", "佚名")
ALIASES: Mapping[str, str] = {"韩翊": "韩翃", "杜秋娘": "金缕衣"}
"""Poets whom some collection calls otherwise; what no poet is known of goes by its title."""


def poet(author: str, title: str) -> str:
    """The work that a poem belongs to."""
    name = title.strip() if author.strip() in NAMELESS else author.strip()
    return ALIASES.get(name, name)


def poem(task: Task, source: str, work: str, name: str, lines: Sequence[Pair]) -> Iterator[dict[str, Any]]:
    """Records of one poem's lines and their translations; ``name`` tells it from others of the poet."""
    return pairs(task, source, work, name, lines, work_id=f"poet:{work}")


def lined_up(zh: Sequence[str], en: Sequence[str]) -> list[Pair]:
    """Line by line where both have as many lines, else the whole poem as one."""
    zh, en = [line.strip() for line in zh], [line.strip() for line in en]
    return list(zip(zh, en, strict=True)) if len(zh) == len(en) else [("".join(zh), " ".join(en))]
