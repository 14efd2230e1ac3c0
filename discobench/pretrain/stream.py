"""The packed corpus as chunks that can be asked for in any order: resuming needs no replay."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.records import listed

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Chunk:
    """A piece of one document: token ids, where words begin, and whether the document starts or ends here."""

    ids: Array
    words: NDArray[np.bool_]
    genre: str
    first: bool
    last: bool


class Stream:
    """One split of a packed corpus, cut into chunks of at most ``room`` tokens.

    A chunk never holds two documents, so nothing attends from one to another; a document that
    does not fit is cut into pieces of equal length. Index and lookup cost a few bytes a document.
    """

    def __init__(self, manifest: Path, split: str, room: int) -> None:
        self.tokens, self.documents, self.words, self.genres = (
            np.load(listed(manifest, f"{split}.{name}.npy"), mmap_mode="r")
            for name in ("tokens", "documents", "words", "genres")
        )
        self.names: list[str] = read_json(manifest)["notes"]["genres"]
        pieces = -(-np.diff(self.documents) // room)
        self.order = np.argsort(self.genres, kind="stable")
        self.ends = np.cumsum(pieces[self.order])

    def __len__(self) -> int:
        return int(self.ends[-1]) if len(self.ends) else 0

    def chunk(self, index: int) -> Chunk:
        """The chunk ``index``; chunks are sorted by genre, then by document."""
        place = int(np.searchsorted(self.ends, index, side="right"))
        before = int(self.ends[place - 1]) if place else 0
        document, piece, pieces = int(self.order[place]), index - before, int(self.ends[place]) - before
        start, end = (int(offset) for offset in self.documents[document : document + 2])
        cut = [start + (end - start) * n // pieces for n in (piece, piece + 1)]
        words = np.asarray(self.words[cut[0] : cut[1]], np.bool_)
        words[:1] = True
        ids = np.asarray(self.tokens[cut[0] : cut[1]], np.int64)
        return Chunk(ids, words, self.names[int(self.genres[document])], piece == 0, piece + 1 == pieces)

    def chunks_per_genre(self) -> Array:
        """Number of chunks of each genre, in the order of ``names``."""
        documents = np.bincount(self.genres, minlength=len(self.names))
        edges = np.concatenate([[0], self.ends])[np.concatenate([[0], np.cumsum(documents)])]
        return np.asarray(np.diff(edges), np.int64)


def sizes(manifest: Path, split: str) -> dict[str, tuple[int, int]]:
    """Documents and tokens of each genre in one split of a packed corpus."""
    documents, genres = (np.load(listed(manifest, f"{split}.{name}.npy"), mmap_mode="r") for name in COUNTED)
    names: list[str] = read_json(manifest)["notes"]["genres"]
    counts = np.bincount(genres, minlength=len(names))
    tokens = np.bincount(genres, np.diff(documents), len(names))
    return {name: (int(n), int(size)) for name, n, size in zip(names, counts, tokens, strict=True)}


COUNTED = ("documents", "genres")


class Sampler:
    """Chunks of a step, drawn with replacement; a genre is as likely as it is large times its weight."""

    def __init__(self, stream: Stream, weights: dict[str, float], size: int, unit: str, seed: int) -> None:
        self.stream, self.size, self.unit, self.seed = stream, size, unit, seed
        counts = stream.chunks_per_genre()
        self.starts = np.cumsum(counts) - counts
        self.counts = counts
        mass = counts * np.array([weights.get(name, 1.0) for name in stream.names])
        if not mass.sum():
            raise DiscoError("the packed corpus has no training text; check run.genres and the corpus balances.")
        self.shares = mass / mass.sum()

    def draw(self, step: int) -> list[Chunk]:
        """The chunks of ``step``: ``size`` sequences, or enough for ``size`` tokens."""
        rng = np.random.default_rng([self.seed, step])
        chunks: list[Chunk] = []
        filled = 0
        while filled < self.size:
            for index in self._indices(rng, min(self.size, 256)):
                chunks.append(self.stream.chunk(int(index)))
                filled += 1 if self.unit == "sequences" else len(chunks[-1].ids)
                if filled >= self.size:
                    break
        return chunks

    def _indices(self, rng: np.random.Generator, n: int) -> Array:
        genres = rng.choice(len(self.shares), size=n, p=self.shares)
        return np.asarray(self.starts[genres] + rng.integers(0, self.counts[genres]), np.int64)
