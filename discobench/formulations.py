"""Where tasks and families meet.

A task renders its records into one of these examples; a family learns and predicts examples and
knows no task. Nine tasks times six families thus need nine files and six, not fifty-four.

Predictions, by formulation: ``span`` a list of strings; ``gaps`` a list of ``[offset, form]``;
``choice`` an index; ``text`` a string. ``rank`` compares the log-likelihood of choice or text
examples that differ in one place (paper section 4.2).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields

TEXT_FIELDS = ("context", "question", "text", "before", "after", "passage", "choices", "source", "target")


@dataclass(frozen=True, slots=True)
class SpanExample:
    """Find the answers to ``question`` in ``context``.

    ``answers`` are code point spans (start, end) into ``context``; empty when unknown.
    ``focus`` is the span of the context that the question is about (SI: the utterance).
    """

    id: str
    context: str
    question: str
    focus: tuple[int, int]
    answers: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class GapsExample:
    """Label each of the ``len(text) + 1`` gaps of ``text`` with a form or with nothing.

    ``labels`` are (code point offset, form), sorted by offset; ``before`` and ``after`` are context.
    """

    id: str
    text: str
    before: str = ""
    after: str = ""
    labels: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceExample:
    """Choose one of ``choices``; ``answer`` is the index of the right one, None when unknown."""

    id: str
    passage: str
    question: str
    choices: tuple[str, ...]
    answer: int | None = None


@dataclass(frozen=True, slots=True)
class TextExample:
    """Write ``target`` given ``source``; languages are ``zh`` or ``en``."""

    id: str
    source: str
    source_language: str
    target_language: str
    target: str | None = None


Example = SpanExample | GapsExample | ChoiceExample | TextExample


def strings(example: Example) -> Iterator[str]:
    """The texts of an example, answers included."""
    for name in (field.name for field in fields(example) if field.name in TEXT_FIELDS):
        value: str | tuple[str, ...] | None = getattr(example, name)
        yield from (value,) if isinstance(value, str) else value or ()


@dataclass(frozen=True, slots=True)
class Prediction:
    """One answer: ``value`` typed by formulation, ``status`` one of schema.PREDICTION_STATUSES."""

    id: str
    value: list[str] | list[tuple[int, str]] | int | str | None
    status: str = "ok"
    details: dict[str, float | int | str] | None = None


@dataclass(frozen=True, slots=True)
class LogLikelihood:
    """Natural log-probability of an example's answer, summed, and the tokens it is summed over.

    ``cut`` where the model has no room for all of the example.
    """

    id: str
    total: float
    tokens: int
    cut: bool = False
