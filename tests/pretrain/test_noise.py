"""Promises of the noise: words stay together, shares are kept, nothing else changes."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.pretrain.noise import corrupted, infilled, permuted, whole_words

MASK = 1
seeds = st.integers(0, 10_000)
lengths = st.lists(st.integers(1, 4), min_size=1, max_size=60)


def text(word_lengths: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Tokens 100, 101 … and where words of the given lengths begin."""
    words = np.concatenate([[True] + [False] * (n - 1) for n in word_lengths])
    return np.arange(100, 100 + len(words)), words


@given(lengths, seeds)
def test_a_word_is_hidden_whole_or_not_at_all(word_lengths: list[int], seed: int) -> None:
    _, words = text(word_lengths)
    chosen = whole_words(words, 0.3, np.random.default_rng(seed))
    for word in np.split(chosen, np.flatnonzero(words)[1:]):
        assert word.all() or not word.any()


def test_share_of_hidden_tokens_is_within_one_percent() -> None:
    rng = np.random.default_rng(3)
    _, words = text(rng.integers(1, 5, 200_000).tolist())
    assert abs(whole_words(words, 0.15, rng).mean() - 0.15) < 0.01


def test_eighty_ten_ten() -> None:
    rng = np.random.default_rng(5)
    ids = np.full(100_000, 7)
    chosen = rng.random(len(ids)) < 0.5
    noisy = corrupted(ids, chosen, MASK, np.array([8, 9]), rng)
    assert (noisy[~chosen] == 7).all()
    shares = [(noisy[chosen] == MASK).mean(), np.isin(noisy[chosen], [8, 9]).mean(), (noisy[chosen] == 7).mean()]
    assert np.allclose(shares, [0.8, 0.1, 0.1], atol=0.01)


@given(lengths, seeds)
def test_spans_are_whole_words_and_no_two_touch(word_lengths: list[int], seed: int) -> None:
    ids, words = text(word_lengths)
    noisy = infilled(ids, words, 0.3, 3.0, MASK, np.random.default_rng(seed))
    kept = set(noisy.tolist()) - {MASK}
    assert noisy[noisy != MASK].tolist() == sorted(kept)
    for word in np.split(ids, np.flatnonzero(words)[1:]):
        assert set(word.tolist()) <= kept or not set(word.tolist()) & kept
    assert not ((noisy[1:] == MASK) & (noisy[:-1] == MASK)).any()


def test_infilling_hides_its_share_of_tokens() -> None:
    rng = np.random.default_rng(11)
    hidden = total = 0
    for _ in range(1500):
        ids, words = text(rng.integers(1, 4, int(rng.integers(5, 80))).tolist())
        noisy = infilled(ids, words, 0.3, 3.0, MASK, rng)
        hidden += len(ids) - int((noisy != MASK).sum())
        total += len(ids)
    assert abs(hidden / total - 0.3) < 0.01


@pytest.mark.parametrize("mean", [3.0, 3.5])
def test_spans_are_as_long_as_asked(mean: float) -> None:
    """Words hidden for each mask, over so long a text that the last span, which is cut, counts for little."""
    ids, words = text([1] * 200_000)
    noisy = infilled(ids, words, 0.3, mean, MASK, np.random.default_rng(2))
    hidden = len(ids) - int((noisy != MASK).sum())
    assert hidden / int((noisy == MASK).sum()) == pytest.approx(mean, rel=0.02)


@given(lengths, seeds)
def test_permuting_keeps_sentences_whole(word_lengths: list[int], seed: int) -> None:
    ids, words = text(word_lengths)
    cuts = np.arange(7, len(ids), 7)
    moved, flags = permuted(ids, words, cuts, np.random.default_rng(seed))
    assert sorted(moved.tolist()) == ids.tolist()
    assert dict(zip(moved, flags, strict=True)) == dict(zip(ids, words, strict=True))
    follows = dict(pairwise(ids))
    broken = [a for a, b in pairwise(moved) if follows.get(a) != b]
    assert set(broken) <= {*ids[cuts - 1].tolist(), int(ids[-1])}
