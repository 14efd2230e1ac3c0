"""What the paper leaves open: question, what it says, our choice, the key, the effect."""

from pathlib import Path

from discobench.config.load import read_as
from discobench.config.strict import Strict


class Entry(Strict):
    """One open question; ``key`` is a configuration key, or null where there is none to turn."""

    question: str
    paper: str
    choice: str
    key: str | None = None
    effect: str


class Ledger(Strict):
    """All of them."""

    entries: list[Entry]


def read_ledger(path: Path) -> list[Entry]:
    """The entries of ledger.yaml; raises DiscoError naming the file and the first faulty key."""
    return read_as(Ledger, path).entries
