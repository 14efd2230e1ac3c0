"""What a family of models is: formulations it can learn, and how.

A family turns examples into tensors, tensors into a loss, and examples into predictions. It knows
no task, no file of a rule, and no Snakemake. ``Learner`` is what training and decoding work with.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from torch import Tensor, nn

from discobench.formulations import Example, LogLikelihood, Prediction


@dataclass(frozen=True)
class Settings:
    """What a learner needs to know beside its checkpoint.

    ``forms`` are the labels of the ``gaps`` formulation. ``max_length`` is in tokens.
    """

    formulation: str
    max_length: int
    forms: tuple[str, ...] = ()
    source_language: str = "zh"
    target_language: str = "zh"
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Decoding:
    """Decoding settings of one task; ``batch_tokens`` bounds padded tokens a batch.

    ``max_answer`` (code points) and ``span_margin`` are for ``span`` (see ``SpanLearner.predict``).
    """

    beam: int = 4
    max_new_tokens: int = 128
    min_new_tokens: int = 1
    batch_tokens: int = 4096
    max_answer: int = 30
    span_margin: float = 0.0
    sample: bool = False
    top_p: float = 1.0
    temperature: float = 1.0
    seed: int = 1


class Learner(ABC):
    """A model with its tokenizer and one formulation."""

    model: nn.Module
    kind: ClassVar[Any]
    """The type of what ``encode`` returns: a dataclass or a list, down to numbers and texts."""

    @abstractmethod
    def encode(self, example: Example) -> Any:
        """Token ids and labels of one example, of type ``kind``."""

    @abstractmethod
    def length(self, encoded: Any) -> int:
        """Number of tokens, for sorting and for batches by tokens."""

    def weight(self, encoded: Any) -> float:
        """What an encoded example counts in the mean that ``loss`` is: losses of parts of a batch add up by it."""
        return 1.0

    @abstractmethod
    def loss(self, encoded: Sequence[Any]) -> Tensor:
        """Mean loss of a batch (scalar tensor with gradient); pads on its own."""

    @abstractmethod
    def predict(self, examples: Sequence[Example], decoding: Decoding) -> list[Prediction]:
        """One prediction per example, in input order, whatever the batches."""

    def log_likelihood(self, examples: Sequence[Example], decoding: Decoding) -> list[LogLikelihood]:
        """log p(answer | rest) of each example, in input order (choice and text formulations)."""
        raise NotImplementedError(f"{type(self).__name__} cannot rank")

    def facts(self) -> dict[str, float]:
        """Counts of what ``encode`` saw and had to cut, for logs and manifests."""
        return {}

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write weights (safetensors), configuration and tokenizer into ``folder``."""


class Family(ABC):
    """One file in ``discobench/models`` with one subclass, found by its ``name``."""

    name: ClassVar[str]
    formulations: ClassVar[frozenset[str]]

    @abstractmethod
    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """Write a checkpoint initialised from ``seed``, its vocabulary learned from ``texts``."""

    @abstractmethod
    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """Load the checkpoint in ``folder`` for a formulation; new heads are drawn from ``seed``.

        A folder that ``Learner.save`` wrote gives back the same model, head included.
        Raises DiscoError when vocabulary, positions or special tokens do not fit.
        """


class Toolkit(Family):
    """A family that trains and decodes with a program of its own (fairseq) and has no Learner."""

    @abstractmethod
    def train(
        self, folder: Path, out: Path, state: Path, train: Sequence[Example], valid: Sequence[Example], plan: Any
    ) -> dict[str, Any]:
        """Train from checkpoint ``folder`` into ``out``; ``state`` survives kills. Returns facts for model.json."""

    @abstractmethod
    def predict(self, folder: Path, examples: Sequence[Example], decoding: Decoding) -> list[Prediction]:
        """One prediction per example, in input order."""

    @abstractmethod
    def log_likelihood(self, folder: Path, examples: Sequence[Example], decoding: Decoding) -> list[LogLikelihood]:
        """Forced decoding of each example's target."""

    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """There is none; raises TypeError."""
        raise TypeError(f"family {self.name} trains itself")
