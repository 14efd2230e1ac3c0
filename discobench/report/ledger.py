"""What the paper leaves open: question, what it says, our choice, the key, the effect."""

from pathlib import Path

from pydantic import ValidationError

from discobench.config.load import read_yaml
from discobench.config.strict import Strict
from discobench.errors import DiscoError


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
    try:
        return Ledger.model_validate(read_yaml(path)).entries
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise DiscoError(f"{path}: {key}: {first['msg']}; mend the file.") from error
