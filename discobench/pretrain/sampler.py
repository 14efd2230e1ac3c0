"""Which chunks a step learns from, without going through those of the steps before.

Each chunk of a genre comes once before any comes twice. Only within a round in which its pass ends, as weights make
it, may some of the next pass precede the last of this one: draws of a round are shuffled.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discobench.errors import DiscoError
from discobench.pretrain.stream import Stream

Array = NDArray[np.int64]
ROUNDS = 4
"""Of a Feistel network: four make a permutation that looks random (Luby and Rackoff 1988)."""
BLOCK = 2**20
"""Draws that are counted at a time."""


class Shuffle:
    """A permutation of 0 … ``size - 1`` that follows from ``seed`` and is never written out."""

    def __init__(self, size: int, seed: Sequence[int]) -> None:
        self.size = size
        self.half = np.uint64(max(1, (max(1, size - 1).bit_length() + 1) // 2))
        self.low = (np.uint64(1) << self.half) - np.uint64(1)
        self.keys = np.random.default_rng(list(seed)).integers(0, 2**64, ROUNDS, np.uint64)

    def __call__(self, places: Array) -> Array:
        """Where each of ``places`` goes: round again as long as it falls outside, as the network permutes more."""
        found = self._network(places.astype(np.uint64))
        while (outside := found >= self.size).any():
            found[outside] = self._network(found[outside])
        return found.astype(np.int64)

    def _network(self, places: NDArray[np.uint64]) -> NDArray[np.uint64]:
        left, right = places >> self.half, places & self.low
        for key in self.keys:
            left, right = right, left ^ (_mixed(right + key) & self.low)
        return (left << self.half) | right


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finaliser (Steele et al. 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


class Sampler:
    """Chunks of a step, drawn without replacement; a genre is as likely as it is large times its weight.

    Draws are numbered through the run. Each round draws, in shuffled order, so many chunks of each genre as its
    weight over the largest weight gives; a genre's chunks are shuffled anew once all of them have been drawn.
    """

    def __init__(self, stream: Stream, weights: dict[str, float], size: int, unit: str, seed: int) -> None:
        self.stream, self.seed = stream, seed
        self.counts = stream.chunks_per_genre()
        self.starts = np.cumsum(self.counts) - self.counts
        if not self.counts.sum():
            raise DiscoError("the packed corpus has no training text; check run.genres and the corpus balances.")
        given = np.array([weights.get(name, 1.0) for name in stream.names])
        shares = given / given[self.counts > 0].max()
        self.round = np.where(self.counts > 0, np.maximum(1, np.round(self.counts * shares)), 0).astype(np.int64)
        self.edges = np.concatenate([[0], np.cumsum(self.round)])
        self.step = (size, 1) if unit == "sequences" else self._draws_of_tokens(size)

    def _draws_of_tokens(self, size: int) -> tuple[int, int]:
        """Draws of a step, as a fraction, that have ``size`` tokens on average; at least one."""
        tokens = self.stream.tokens_per_genre() * self.round / np.maximum(1, self.counts)
        most, drawn = max(1, round(float(tokens.sum()))), int(self.edges[-1])
        return (size * drawn, most) if size * drawn >= most else (1, 1)

    def draws(self, step: int) -> range:
        """Numbers of the draws of ``step``, counted from 0."""
        draws, steps = self.step
        return range(step * draws // steps, (step + 1) * draws // steps)

    def chunks(self, draws: range) -> Array:
        """The chunk of each draw."""
        numbers = np.arange(draws.start, draws.stop, dtype=np.int64)
        rounds, places = numbers // self.edges[-1], numbers % self.edges[-1]
        slots = np.concatenate([self._shuffled(self.edges[-1], places[rounds == n], n) for n in np.unique(rounds)])
        genres = np.searchsorted(self.edges, slots, side="right") - 1
        counts = rounds * self.round[genres] + slots - self.edges[genres]
        found = np.empty_like(slots)
        for genre in np.unique(genres):
            mine = genres == genre
            found[mine] = self.starts[genre] + self._of_genre(int(genre), counts[mine])
        return found

    def _of_genre(self, genre: int, counts: Array) -> Array:
        """The chunks that are drawn after ``counts`` others of their genre."""
        size = int(self.counts[genre])
        passes, found = counts // size, np.empty_like(counts)
        for number in np.unique(passes):
            mine = passes == number
            found[mine] = self._shuffled(size, counts[mine] % size, int(number), genre + 1)
        return found

    def _shuffled(self, size: int, places: Array, *of: int) -> Array:
        return Shuffle(int(size), [self.seed, *(int(n) for n in of)])(places)

    def seen(self, steps: int) -> dict[str, dict[str, int]]:
        """For each genre its chunks, and how many of them were drawn in so many steps, each time counted."""
        full, rest = divmod(self.draws(steps).start, int(self.edges[-1]))
        drawn = full * self.round
        for start in range(0, rest, BLOCK):
            slots = self._shuffled(self.edges[-1], np.arange(start, min(rest, start + BLOCK)), full)
            genres = np.searchsorted(self.edges, slots, side="right") - 1
            drawn = drawn + np.bincount(genres, minlength=len(self.round))
        lines = zip(self.stream.names, self.counts, drawn, strict=True)
        return {name: {"chunks": int(chunks), "drawn": int(n)} for name, chunks, n in lines}
