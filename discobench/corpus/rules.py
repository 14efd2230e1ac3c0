"""Cleaning rules as data: ``resources/cleaning/<language>.yaml``."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.config.load import read_yaml
from discobench.errors import DiscoError

PATTERNS = ("headings", "begin", "end", "lines", "seams")
SPECIAL = ("begin", "end", "lines", "seams")
KEYS = (*PATTERNS, "facts", "subtitles", "wrapped", "abbreviations")
FACTS = ("title", "author")
WRAPPED = ("shortest", "longest", "unless", "joint")
SUBTITLES = ("spans", "lines")


@dataclass(frozen=True)
class Wrapped:
    """Which lines a fixed width broke: their length, what they never look like, what joins them."""

    shortest: int
    longest: int
    unless: re.Pattern[str]
    joint: str


@dataclass(frozen=True)
class Subtitles:
    """What in subtitles nobody says: pieces of lines, cut one after the other, and whole lines."""

    spans: tuple[re.Pattern[str], ...]
    lines: re.Pattern[str]

    def speech(self, line: str) -> str:
        """What is said in a line, blanks made one; nothing where it is no speech."""
        for span in self.spans:
            line = " ".join(span.sub(" ", line).split())
        return "" if self.lines.fullmatch(line) else line


@dataclass(frozen=True)
class Facts:
    """Lines above the work's own text that say its title and author: in each pattern's first group."""

    title: re.Pattern[str]
    author: re.Pattern[str]


@dataclass(frozen=True)
class Rules:
    """Patterns match a whole line without the blanks around it."""

    headings: re.Pattern[str]
    begin: re.Pattern[str]
    end: re.Pattern[str]
    lines: re.Pattern[str]
    seams: re.Pattern[str]
    special: re.Pattern[str]
    """What begins, ends, is no text or is a seam: most texts have no such line."""
    facts: Facts
    subtitles: Subtitles
    wrapped: Wrapped
    abbreviations: frozenset[str]

    def is_heading(self, line: str) -> bool:
        """Whether a line opens a chapter."""
        return bool(self.headings.fullmatch(line.strip()))


def read_rules(path: Path) -> Rules:
    """The rules of one language; raises DiscoError naming the file and the key at fault."""
    tree = read_yaml(path)
    _check_keys(path, tree, KEYS)
    _check_keys(path, tree["wrapped"], WRAPPED)
    _check_keys(path, tree["subtitles"], SUBTITLES)
    _check_keys(path, tree["facts"], FACTS)
    patterns = {key: _pattern(path, key, tree[key]) for key in PATTERNS}
    special = _pattern(path, "lines", [pattern for key in SPECIAL for pattern in tree[key]])
    wrapped = Wrapped(**{**tree["wrapped"], "unless": _pattern(path, "wrapped", tree["wrapped"]["unless"])})
    spans, lines = (tree["subtitles"][key] for key in SUBTITLES)
    cut = tuple(_pattern(path, "subtitles.spans", [span]) for span in spans)
    subtitles = Subtitles(cut, _pattern(path, "subtitles.lines", lines))
    facts = Facts(**{key: _pattern(path, f"facts.{key}", tree["facts"][key]) for key in FACTS})
    return Rules(
        **patterns,
        special=special,
        facts=facts,
        subtitles=subtitles,
        wrapped=wrapped,
        abbreviations=frozenset(tree["abbreviations"]),
    )


def _check_keys(path: Path, tree: Any, keys: tuple[str, ...]) -> None:
    if not isinstance(tree, dict) or set(tree) != set(keys):
        odd = ", ".join(sorted(set(tree or ()) ^ set(keys)))
        raise DiscoError(f"{path}: missing or unknown keys: {odd}; there must be {', '.join(keys)}.")


def _pattern(path: Path, key: str, patterns: list[Any]) -> re.Pattern[str]:
    try:
        return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)")
    except re.error as error:
        raise DiscoError(f"{path}: {key}: {error.pattern!r} is no regular expression: {error}; mend it.") from error
