"""The packed corpus as chunks that can be asked for in any order: resuming needs no replay."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobench.files import read_json
from discobench.records import listed

Array = NDArray[np.int64]
Flags = NDArray[np.bool_]
COUNTED = ("documents", "genres")


@dataclass(frozen=True)
class Chunk:
    """A row of text: token ids, where words begin, and whether a document starts or ends at its two ends."""

    ids: Array
    words: Flags
    genre: str
    first: bool
    last: bool


class Stream:
    """One split of a packed corpus, cut into chunks of at most ``room`` tokens; a chunk has one genre.

    Without ``separator`` a chunk never holds two documents, so nothing attends from one to another; a document
    that does not fit is cut into pieces of equal length. With it documents follow each other, the token between
    them, and chunks are full whatever their lengths. Index and lookup cost a few bytes a document.
    """

    def __init__(self, manifest: Path, split: str, room: int, separator: int | None = None) -> None:
        self.tokens, self.documents, self.words, self.genres = (
            np.load(listed(manifest, f"{split}.{name}.npy"), mmap_mode="r")
            for name in ("tokens", "documents", "words", "genres")
        )
        self.names: list[str] = read_json(manifest)["notes"]["genres"]
        self.separator = separator
        edges = np.cumsum(np.bincount(self.genres, minlength=len(self.names)))
        self.edges = np.concatenate([[0], edges])
        in_order = bool((np.diff(self.genres) >= 0).all())
        self.order = None if in_order else np.argsort(self.genres, kind="stable")
        self.begins = self.documents if in_order and separator is None else self._begins()
        # What is cut: documents, or genres as wholes.
        self.wholes = self.begins if separator is None else self.begins[self.edges]
        self.ends = np.cumsum(-(-np.diff(self.wholes) // room))

    def _begins(self) -> Array:
        """Where each document begins in the line of all, sorted by genre, and where the last one ends."""
        sizes = np.diff(self.documents)[slice(None) if self.order is None else self.order]
        return np.concatenate([[0], np.cumsum(sizes + (self.separator is not None))]).astype(np.int64)

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
        document, base = place if self.order is None else int(self.order[place]), int(self.begins[place])
        offset, size = int(self.documents[document]), int(self.documents[document + 1] - self.documents[document])
        cut = slice(offset + max(0, start - base), offset + min(size, end - base))
        ids, words = np.asarray(self.tokens[cut], np.int64), np.asarray(self.words[cut], np.bool_)
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
    documents, genres = (np.load(listed(manifest, f"{split}.{name}.npy"), mmap_mode="r") for name in COUNTED)
    names: list[str] = read_json(manifest)["notes"]["genres"]
    counts = np.bincount(genres, minlength=len(names))
    tokens = np.bincount(genres, np.diff(documents), len(names))
    return {name: (int(n), int(size)) for name, n, size in zip(names, counts, tokens, strict=True)}
