"""Whether two models differ on the same instances: approximate randomisation, and Holm over a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from discobench.score.measure import Array

CHUNK = 256
ENOUGH = 20
"""Resamples as far apart as the models themselves, after which a pair is known not to differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second, the two-sided p-value, and how many resamples it comes from."""

    value: float
    p: float
    samples: int


def randomised(first: Array, second: Array, value: Callable[[Array], float], samples: int, seed: int) -> Difference:
    """Exchange the models' counts (shape [instances, k]) at random, ``samples`` times (Noreen 1989; Yeh 2000).

    The p-value is (1 + exceedances) / (1 + samples); drawing ends after ENOUGH exceedances (Besag and Clifford 1991).
    Counts may be sums over as many seeds of each: then means per instance are exchanged.
    """
    rng = np.random.default_rng(seed)
    whole, apart = first.sum(axis=0) + second.sum(axis=0), first - second

    def difference(shift: Array) -> float:
        return value((whole + shift) / 2) - value((whole - shift) / 2)

    observed, drawn, exceeded = difference(apart.sum(axis=0)), 0, 0
    while drawn < samples and exceeded < ENOUGH:
        size = min(CHUNK, samples - drawn)
        signs = 2.0 * rng.integers(0, 2, (size, len(apart))) - 1
        exceeded += sum(abs(difference(shift)) >= abs(observed) - 1e-9 for shift in signs @ apart)
        drawn += size
    return Difference(observed, (1 + exceeded) / (1 + drawn), drawn)


def holm(values: Sequence[float]) -> list[float]:
    """Adjusted p-values in the given order (Holm 1979): the smallest times their number, and so on, never falling."""
    adjusted, largest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda n: (values[n], n))):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = largest
    return adjusted
