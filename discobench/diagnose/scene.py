"""A sentence with what stands before it, and how it may be changed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """A sentence that may be changed and the sentences before it, nearest last, in one language."""

    language: str
    before: tuple[str, ...]
    text: str

    @property
    def window(self) -> str:
        """All of it, lower case: what a replacement must not repeat."""
        return "\n".join([*self.before, self.text]).lower()


@dataclass(frozen=True, slots=True)
class Change:
    """Code points ``start`` to ``end`` of the sentence, and each text that breaks it there with what is wrong then."""

    start: int
    end: int
    wrong: tuple[tuple[str, str], ...]
