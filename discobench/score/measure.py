"""What a metric is: sufficient statistics per unit, and a value of their sum.

Corpus scores, scores per instance and bootstrap intervals then come from one table of counts, and a
thousand resamples cost no second look at the texts (the approach of sacrebleu's significance tests).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobench.score.items import Item

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Options:
    """What the measures of one cell need to know; ``outside`` is ``score.outside_inventory``."""

    language: str
    bootstrap: int
    seed: int
    nltk_data: str = ""
    outside: str = "miss"


@dataclass(frozen=True, slots=True)
class Metric:
    """A score, how it came about, and its values per unit (instance, or document for d-BLEU).

    ``ci95`` is a percentile bootstrap interval over units, unless the signature names another. ``counts`` are the
    sufficient statistics of each unit, what two models are compared by; empty where the value is not of their sum.
    """

    value: float
    n: int
    ci95: tuple[float, float] | None
    signature: str
    instances: dict[str, float]
    counts: dict[str, list[float]] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """All but what is known per unit, as JSON."""
        return {name: getattr(self, name) for name in ("value", "n", "ci95", "signature")}


class NotRun(Exception):
    """A metric that cannot be computed here; the message is the reason shown in its cell."""


Measure = Callable[[Sequence[Item], Options], Metric]
"""A metric's definition: scores a cell, or raises NotRun with a reason."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Statistics of each unit, shape [units, k], with the units' ids and the signature of the choices made."""

    table: Array
    ids: list[str]
    signature: str


@dataclass(frozen=True, slots=True)
class Additive:
    """A metric whose value follows from the sum of its units' statistics."""

    count: Callable[[Sequence[Item], Options], Counts]
    value: Callable[[Array], float]

    def __call__(self, items: Sequence[Item], options: Options) -> Metric:
        """Score a cell with its interval and its values per unit."""
        counts = self.count(items, options)
        return Metric(
            value=self.value(counts.table.sum(axis=0)),
            n=len(counts.ids),
            ci95=interval(counts.table, self.value, options.bootstrap, options.seed),
            signature=counts.signature,
            instances={name: self.value(row) for name, row in zip(counts.ids, counts.table, strict=True)},
            counts=dict(zip(counts.ids, counts.table.tolist(), strict=True)),
        )


def interval(table: Array, value: Callable[[Array], float], samples: int, seed: int) -> tuple[float, float]:
    """Bounds of the central 95 % of ``value`` over ``samples`` resamples of the rows of ``table``."""
    rng = np.random.default_rng(seed)
    chances = np.full(len(table), 1 / len(table))
    values = [value(rng.multinomial(len(table), chances) @ table) for _ in range(samples)]
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def mean(table: Sequence[float], ids: list[str], signature: str) -> Counts:
    """Counts whose ``percentage`` or ``ratio`` is the mean over units."""
    return Counts(np.array([[value, 1.0] for value in table]), ids, signature)


def ratio(sums: Array) -> float:
    """First statistic over the second, 0 where the second is 0."""
    return float(sums[0] / sums[1]) if sums[1] else 0.0


def percentage(sums: Array) -> float:
    """``ratio`` times 100, as the paper prints shares."""
    return 100 * ratio(sums)
