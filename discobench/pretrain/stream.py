"""The packed corpus as chunks that can be asked for in any order: resuming needs no replay."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobench.corpus.index import IN_SHARDS, read_shards
from discobench.records import listed, manifest_of

Array = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Chunk:
    """A row of text: token ids, where words begin, and whether a document starts or ends at its two ends."""

    ids: Array
    words: Flags
    genre: str
    first: bool
    last: bool


class Column:
    """A column of all shards, each in a file of its own; no document crosses from one to another."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.parts = [np.load(file, mmap_mode="r") for file in files]
        self.starts = np.cumsum([0, *map(len, self.parts)])

    def cut(self, start: int, end: int) -> NDArray[np.generic]:
        """What stands from ``start`` to ``end`` in the line of all shards."""
        found = min(int(np.searchsorted(self.starts, start, side="right")), len(self.parts)) - 1
        before = int(self.starts[found])
        part: NDArray[np.generic] = self.parts[found][start - before : end - before]
        return part


class Stream:
    """One split of a packed corpus, cut into chunks of at most ``room`` tokens; a chunk has one genre.

    Without ``separator`` a chunk never holds two documents, so nothing attends from one to another; a document
    that does not fit is cut into pieces of equal length. With it documents follow each other, the token between
    them, and chunks are full whatever their lengths. Index and lookup cost a few bytes a document.
    """

    def __init__(self, manifest: Path, split: str, room: int, separator: int | None = None) -> None:
        shards = read_shards(manifest)
        self.tokens, self.words = (
            Column([listed(path, f"{split}.{name}.npy") for path in shards]) for name in IN_SHARDS
        )
        self.documents = np.load(listed(manifest, f"{split}.documents.npy"), mmap_mode="r")
        counts = sizes(manifest, split)
        self.names = list(counts)
        self.separator = separator
        self.edges = np.cumsum([0, *(documents for documents, _ in counts.values())])
        self.begins = self.documents if separator is None else self._begins()
        # What is cut: documents, or genres as wholes.
        self.wholes = self.begins if separator is None else self.begins[self.edges]
        self.ends = np.cumsum(-(-np.diff(self.wholes) // room))

    def _begins(self) -> Array:
        """Where each document begins in the line of all with their separators, and where the last one ends."""
        return np.asarray(self.documents + np.arange(len(self.documents)), np.int64)

    def __len__(self) -> int:
        return int(self.ends[-1]) if len(self.ends) else 0

    def bounds(self, indices: Array) -> tuple[Array, Array, Array]:
        """The whole that each chunk is of, and where the chunk begins and ends in the line of all documents."""
        wholes = np.searchsorted(self.ends, indices, side="right")
        before = np.where(wholes > 0, self.ends[wholes - 1], 0)
        pieces, number = self.ends[wholes] - before, indices - before
        start = self.wholes[wholes].astype(np.int64)
        size = self.wholes[wholes + 1] - start
        return wholes, start + size * number // pieces, start + size * (number + 1) // pieces

    def lengths(self, indices: Array) -> Array:
        """Tokens of chunks, of which none is read."""
        _, starts, ends = self.bounds(indices)
        return ends - starts

    def chunk(self, index: int) -> Chunk:
        """The chunk ``index``; chunks are sorted by genre, then by document."""
        (whole,), (start,), (end,) = self.bounds(np.array([index]))
        first = int(np.searchsorted(self.begins, start, side="right")) - 1
        last = int(np.searchsorted(self.begins, end, side="left"))
        parts = [self._part(place, int(start), int(end)) for place in range(first, last)]
        ids, words = (np.concatenate(column) for column in zip(*parts, strict=True))
        words[:1] = True
        ended = self.separator is None and bool(self.begins[last] == end)
        genre = int(whole) if self.separator is not None else int(np.searchsorted(self.edges, whole, side="right")) - 1
        return Chunk(ids, words, self.names[genre], bool(self.begins[first] == start), ended)

    def _part(self, place: int, start: int, end: int) -> tuple[Array, Flags]:
        """What lies between ``start`` and ``end`` of the document that is ``place``-th in line, its separator too."""
        base, offset = int(self.begins[place]), int(self.documents[place])
        size = int(self.documents[place + 1]) - offset
        cut = offset + max(0, start - base), offset + min(size, end - base)
        ids, words = np.asarray(self.tokens.cut(*cut), np.int64), np.asarray(self.words.cut(*cut), np.bool_)
        if self.separator is None or base + size >= end:
            return ids, words.copy()
        return np.append(ids, self.separator), np.append(words, True)

    def chunks_per_genre(self) -> Array:
        """Number of chunks of each genre, in the order of ``names``."""
        edges = self.edges if self.separator is None else np.arange(len(self.names) + 1)
        return np.asarray(np.diff(np.concatenate([[0], self.ends])[edges]), np.int64)

    def tokens_per_genre(self) -> Array:
        """Number of tokens of each genre, separators included."""
        return np.asarray(np.diff(self.begins[self.edges]), np.int64)


def sizes(manifest: Path, split: str) -> dict[str, tuple[int, int]]:
    """Documents and tokens of each genre in one split of a packed corpus."""
    genres = manifest_of(manifest)["notes"]["genres"]
    return {genre["name"]: (genre["documents"][split], genre["tokens"][split]) for genre in genres}
