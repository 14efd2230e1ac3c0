"""Family llm: models behind an API. They are asked, not trained (``discobench/decode/llm.py``)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from discobench.models.base import Family, Learner, Settings


class Llm(Family):
    """Answers every formulation in words, and has neither weights nor log-probabilities here."""

    name: ClassVar[str] = "llm"
    formulations: ClassVar[frozenset[str]] = frozenset({"span", "gaps", "choice", "text"})

    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """There is none; raises TypeError."""
        raise TypeError("a model behind an API has no checkpoint")

    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """There is none; raises TypeError."""
        raise TypeError("a model behind an API is asked by discobench.decode.llm")
