"""A sentence with what stands before it, and how it may be changed."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """A sentence that may be changed and the sentences before it, nearest last, in one language."""

    language: str
    before: tuple[str, ...]
    text: str

    def says(self, word: str) -> bool:
        """Whether a word stands anywhere in it, in Chinese as a part of another too."""
        edge = "" if self.language == "zh" else r"\b"
        pattern = re.compile(f"{edge}{re.escape(word)}{edge}", re.IGNORECASE)
        return any(pattern.search(text) for text in (*self.before, self.text))


@dataclass(frozen=True, slots=True)
class Change:
    """Code points ``start`` to ``end`` of the sentence, and each text that breaks it there with what is wrong then."""

    start: int
    end: int
    wrong: tuple[tuple[str, str], ...]
