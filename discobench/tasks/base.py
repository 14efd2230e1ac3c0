"""What a task is: how its records are checked, rendered, answered without learning, and asked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from discobench.formulations import Example

Record = Mapping[str, Any]
BASELINES = ("majority", "copy", "random")


class Task(ABC):
    """One task of Table 1. A new task is one file with one subclass, found by its ``name``."""

    name: ClassVar[str]
    formulation: ClassVar[str]
    languages: ClassVar[tuple[str, str]]
    """Source and target language; the same twice for a monolingual task."""
    schema: ClassVar[str]
    metrics: ClassVar[tuple[str, ...]]
    """Metric names, the one of Table 7 first."""

    @abstractmethod
    def check(self, record: Record) -> str | None:
        """Why ``record`` cannot be used, or None. The message names the field and what it holds."""

    @abstractmethod
    def example(self, record: Record) -> Example:
        """The record as its formulation's example, answer included."""

    @abstractmethod
    def gold(self, record: Record) -> Any:
        """The right answer: a typed value as a prediction has it, or a list of references for text."""

    @abstractmethod
    def baseline(self, name: str, train: Sequence[Record], records: Sequence[Record], rng: Random) -> list[Any]:
        """Predictions of trivial baseline ``name`` (one of BASELINES) for ``records``, in order."""

    @abstractmethod
    def fields(self, record: Record) -> dict[str, str]:
        """What the LLM prompt of ``resources/prompts/<name>.yaml`` may refer to by name."""

    @abstractmethod
    def parse(self, answer: str, record: Record) -> tuple[Any, str]:
        """Turn free text into (prediction, status); never raises on messy answers."""

    def group(self, record: Record) -> str:
        """The document for d-BLEU, or the domain or style for scores by category."""
        return str(record["work_id"])
