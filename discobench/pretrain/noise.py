"""What pretraining does to texts before a model restores them: pure functions over token arrays."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]
Flags = NDArray[np.bool_]
REPLACED, RANDOM = 0.8, 0.1
"""Of the chosen tokens, 80 % become the mask and 10 % a random token (Devlin et al. 2019, 3.1)."""


def whole_words(words: Flags, share: float, rng: np.random.Generator) -> Flags:
    """Flags of the tokens to predict: each word with probability ``share``, all of its tokens or none.

    ``words`` is true where a token begins a word; the first must be.
    """
    chosen: Flags = rng.random(int(words.sum())) < share
    return np.asarray(chosen[np.cumsum(words) - 1], np.bool_)


def corrupted(ids: Array, chosen: Flags, mask: int, ordinary: Array, rng: np.random.Generator) -> Array:
    """``ids`` with the chosen ones masked, replaced by one of ``ordinary``, or left alone."""
    fate = rng.random(len(ids))
    random = ordinary[rng.integers(0, len(ordinary), len(ids))]
    noisy = np.where(chosen & (fate < REPLACED), mask, ids)
    return np.where(chosen & (fate >= REPLACED) & (fate < REPLACED + RANDOM), random, noisy)


def infilled(ids: Array, words: Flags, share: float, span: float, mask: int, rng: np.random.Generator) -> Array:
    """``ids`` with spans of whole words replaced by one mask each (text infilling).

    Spans have Poisson lengths with a mean of ``span`` words; one of no words inserts a mask. Together they cover
    ``share`` of the words, in expectation exactly; no two touch.
    """
    bounds = np.append(np.flatnonzero(words), len(ids))
    total = len(bounds) - 1
    lengths = _spans(share * total, span, rng)
    free = total - int(lengths.sum())
    if not len(lengths) or free + 1 < len(lengths):
        return ids
    gaps = np.sort(rng.choice(free + 1, size=len(lengths), replace=False))
    starts = gaps + np.concatenate([[0], np.cumsum(lengths)[:-1]])
    pieces, end = [], 0
    for start, length in zip(starts, lengths, strict=True):
        pieces += [ids[end : bounds[start]], np.array([mask])]
        end = int(bounds[start + length])
    return np.concatenate([*pieces, ids[end:]])


def _spans(budget: float, mean: float, rng: np.random.Generator) -> Array:
    """Poisson lengths that sum to ``budget``, rounded at random so that its mean is kept."""
    left = int(budget) + int(rng.random() < budget % 1)
    lengths = []
    while left > 0:
        lengths.append(min(left, int(rng.poisson(mean))))
        left -= lengths[-1]
    return np.array(lengths, np.int64)


def permuted(ids: Array, words: Flags, cuts: Array, rng: np.random.Generator) -> tuple[Array, Flags]:
    """The sentences that begin at ``cuts``, and the first one, in another order."""
    order = rng.permutation(len(cuts) + 1)
    sentences, flags = np.split(ids, cuts), np.split(words, cuts)
    return np.concatenate([sentences[n] for n in order]), np.concatenate([flags[n] for n in order])
