"""Dist-n: how many of the n-grams that a model writes are different ones."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from discobench.score.items import Item
from discobench.score.measure import Metric, Options
from discobench.score.texts import words_of
from discobench.score.tools import OWN, named

NORMAL = 1.96


def distinct(order: int) -> Callable[[Sequence[Item], Options], Metric]:
    """Dist-n (Li et al. 2016): different n-grams over all n-grams of all predictions, in 0-1.

    The interval is the jackknife's over texts: a bootstrap repeats texts, and repeated texts are what Dist-n counts.
    """

    def measure(items: Sequence[Item], options: Options) -> Metric:
        words = words_of(options.language)
        grams = [_ngrams(words(item.prediction), order) for item in items]
        unit = "character" if options.language == "zh" else "13a"
        tools = f"{named('sacrebleu')}|{OWN}"
        value = _share(sum(map(len, grams)), len({gram for text in grams for gram in text}))
        return Metric(
            value=value,
            n=len(items),
            ci95=_interval(value, _without_one(grams)),
            signature=f"dist|order:{order}|tok:{unit}|over:all predictions|interval:jackknife|{tools}",
            instances={i.id: _share(len(g), len(set(g))) for i, g in zip(items, grams, strict=True)},
        )

    return measure


def _share(tokens: int, types: int) -> float:
    return types / tokens if tokens else 0.0


def _without_one(grams: Sequence[Sequence[tuple[str, ...]]]) -> list[float]:
    """The value without each text in turn: what stands in no other text goes with it."""
    tokens = sum(map(len, grams))
    texts_with = Counter(gram for text in grams for gram in set(text))
    own = [sum(texts_with[gram] == 1 for gram in set(text)) for text in grams]
    return [_share(tokens - len(text), len(texts_with) - alone) for text, alone in zip(grams, own, strict=True)]


def _interval(value: float, without_one: Sequence[float]) -> tuple[float, float] | None:
    """Normal interval by the jackknife's variance (Efron and Stein 1981: no smaller than the true one on average)."""
    n = len(without_one)
    if n < 2:
        return None
    half = NORMAL * float(np.sqrt((n - 1) * np.var(without_one)))
    return max(0.0, value - half), min(1.0, value + half)


def _ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]
