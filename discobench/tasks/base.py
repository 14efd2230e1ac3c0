"""What a task is: how its records are checked, rendered, answered without learning, and asked."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from discobench.formulations import Example, TextExample
from discobench.schema import Schema
from discobench.tasks.answers import bare, quoted, refuses, strip_quotes

Record = Mapping[str, Any]
BASELINES = ("majority", "copy", "random")
JOINTS = {"zh": ""}
"""What stands between the texts of a language; a blank where none is given."""


class Task(ABC):
    """One task of Table 1. A new task is one file with one subclass, found by its ``name``."""

    name: ClassVar[str]
    formulation: ClassVar[str]
    languages: ClassVar[tuple[str, str]]
    """Source and target language; the same twice for a monolingual task."""
    schema: ClassVar[Schema]
    """A schema by its name, or ``schema.record_schema(...)`` with the fields of this task only."""
    metrics: ClassVar[tuple[str, ...]]
    """Metric names, the one of Table 7 first."""
    forms: ClassVar[tuple[str, ...]] = ()
    """What a gap may be labelled with (formulation ``gaps`` only)."""

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

    def units(self, record: Record, answer: Any) -> list[str]:
        """What two people may agree on in a typed answer, one label each: the answer itself."""
        return [str(answer)]

    def labels(self, record: Record) -> list[str]:
        """What a data card counts in the answer: classes, forms, types; nothing where the answer is free text."""
        return []

    def group(self, record: Record) -> str:
        """The document for d-BLEU, or the domain or style for scores by category."""
        return str(record["work_id"])


class TextTask(Task):
    """A task whose answer is text: translation, expansion, infilling, completion."""

    formulation = "text"

    def gold(self, record: Record) -> list[str]:
        """The references; where there is one target, a list of one."""
        return [self.target(record)]

    def target(self, record: Record) -> str:
        """What a model learns to write."""
        return str(record["target"])

    @abstractmethod
    def source(self, record: Record) -> str:
        """What a model is given."""

    def example(self, record: Record) -> TextExample:
        """Source and target as they are."""
        return TextExample(record["id"], self.source(record), *self.languages, target=self.target(record))

    def fields(self, record: Record) -> dict[str, str]:
        """``source``."""
        return {"source": self.source(record)}

    def baseline(self, name: str, train: Sequence[Record], records: Sequence[Record], rng: Random) -> list[str]:
        """The commonest training target, the source itself, or a training target drawn at random."""
        if name == "copy":
            return [self.source(record) for record in records]
        targets = [self.target(record) for record in train]
        if name == "majority":
            return [commonest(targets)] * len(records)
        return [rng.choice(targets) for _ in records]

    def parse(self, answer: str, record: Record) -> tuple[str, str]:
        """The answer itself, without quotation marks around the whole of it unless its source has them too."""
        if refuses(answer):
            return "", "refused"
        text = bare(answer)
        text = text if quoted(self.source(record).strip()) else strip_quotes(text)
        return text, "ok" if text else "empty"


def joined(language: str, texts: Iterable[str]) -> str:
    """Texts in a row, with what stands between those of their language."""
    return JOINTS.get(language, " ").join(texts)


def commonest(values: Sequence[Any]) -> Any:
    """The most frequent value; of equally frequent ones the smallest, so that it does not depend on order."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))


def first_empty(record: Record, *names: str) -> str | None:
    """Says which of the named text fields is empty or missing, or None."""
    for name in names:
        if not record[name] or not str(record[name]).strip():
            return f"{name} is empty"
    return None
