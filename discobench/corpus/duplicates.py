"""Exact and near duplicates: which document each one repeats.

Near means that MinHash signatures over character n-grams agree in at least a threshold's share of
their places, an estimate of Jaccard similarity (Broder 1997). Signatures are rensa's.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

from discobench.corpus.texts import comparable
from discobench.sieve import Record

SEED = 42
BATCH = 256
RECALL = 0.99
PRIME = np.uint64(1_099_511_628_211)
"""Multiplier of the FNV-1a hash."""

Signature = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Print:
    """What is compared of a document."""

    id: str
    sha256: str
    signature: Signature


def prints(records: Iterable[Record], permutations: int, ngram: int) -> Iterator[Print]:
    """Fingerprints of documents, in their order."""
    batch: list[Record] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield from _prints(batch, permutations, ngram)
            batch = []
    yield from _prints(batch, permutations, ngram)


def _prints(records: list[Record], permutations: int, ngram: int) -> Iterator[Print]:
    hashes = [ngram_hashes(comparable(record["text"]), ngram) for record in records]
    offsets = np.cumsum([0, *map(len, hashes)], dtype=np.uint64)
    flat = np.concatenate([*hashes, np.empty(0, np.uint64)])
    rows = RMinHash.digest_matrix_from_flat_token_hashes(flat, offsets, permutations, SEED).to_rows() if records else []
    for record, row in zip(records, rows, strict=True):
        yield Print(record["id"], record["sha256"], np.array(row, np.uint32))


def ngram_hashes(text: str, ngram: int) -> NDArray[np.uint64]:
    """64-bit hashes of the distinct character n-grams; a shorter text is one n-gram."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.uint64)
    ngram = max(1, min(ngram, len(codes)))
    hashes = np.zeros(max(len(codes) - ngram + 1, 0), np.uint64)
    for place in range(ngram):
        hashes = (hashes ^ codes[place : place + len(hashes)]) * PRIME
    return np.unique(hashes)


def duplicates(documents: Iterable[Print], permutations: int, threshold: float) -> Iterator[dict[str, str]]:
    """Rows of schema ``duplicate`` sorted by id: each repeats the smallest id that is kept.

    Documents are taken by rising id whatever their order, and one is dropped only for a document
    that is kept: a chain of small changes does not drop its far end.
    """
    exact: dict[str, str] = {}
    near = _Near(permutations, threshold)
    for document in sorted(documents, key=lambda item: item.id):
        if document.sha256 in exact:
            yield {"id": document.id, "kept": exact[document.sha256], "reason": "exact duplicate"}
            continue
        kept = near.find(document.signature)
        exact[document.sha256] = kept or document.id
        if kept is None:
            near.add(document)
        else:
            yield {"id": document.id, "kept": kept, "reason": "near duplicate"}


class _Near:
    """Kept documents by bands of their signatures (locality-sensitive hashing)."""

    def __init__(self, permutations: int, threshold: float) -> None:
        self.threshold = threshold
        self.rows = band_rows(permutations, threshold)
        self.bands = permutations // self.rows
        self.kept: list[Print] = []
        self.buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)

    def _keys(self, signature: Signature) -> Iterator[tuple[int, bytes]]:
        return ((n, signature[n * self.rows : (n + 1) * self.rows].tobytes()) for n in range(self.bands))

    def add(self, document: Print) -> None:
        for key in self._keys(document.signature):
            self.buckets[key].append(len(self.kept))
        self.kept.append(document)

    def find(self, signature: Signature) -> str | None:
        """The smallest id among kept documents that are near."""
        candidates = {place for key in self._keys(signature) for place in self.buckets.get(key, ())}
        near = (n for n in sorted(candidates) if np.mean(self.kept[n].signature == signature) >= self.threshold)
        first = next(near, None)
        return None if first is None else self.kept[first].id


def band_rows(permutations: int, threshold: float) -> int:
    """The most rows a band may have so that a pair at the threshold shares a band with RECALL.

    Such a pair shares one of b bands of r rows with probability 1 - (1 - t^r)^b.
    """
    fits = (r for r in range(permutations, 1, -1) if 1 - (1 - threshold**r) ** (permutations // r) >= RECALL)
    return next(fits, 1)
