"""Digests and MinHash signatures of parts, and the bands that near ones are likely to share.

Signatures estimate the Jaccard similarity of sets of character n-grams (Broder 1997). They are rensa's,
with the lowest eight bits of each place (Li and König 2010): of two places that differ, 1 in 256 agree.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from rensa import RMinHash

from discobench.corpus.characters import kinds_of
from discobench.corpus.codes import codes
from discobench.corpus.hashes import Hashes, mixed
from discobench.corpus.parts import parts
from discobench.corpus.rules import Rules
from discobench.corpus.texts import comparables
from discobench.parquet import in_pieces
from discobench.schema import schema

SEED = 42
RECALL = 0.99
RUN = 200_000
"""Parts whose bands are sorted at once."""
GROUP = 50_000
PRIME = np.uint64(1_099_511_628_211)
"""Multiplier of the FNV-1a hash."""

Signatures = NDArray[np.uint8]


class Signer:
    """Signs the parts of tables of documents; ``documents`` counts these.

    ``rules`` are given where parts are chapters.
    """

    def __init__(self, rules: Rules | None, permutations: int, ngram: int) -> None:
        self.rules, self.permutations, self.ngram = rules, permutations, ngram
        self.documents = 0

    def __call__(self, table: pa.Table) -> pa.Table:
        """Rows of schema ``signature``, in the order of the documents."""
        ids = table["id"].to_pylist()
        found = list(parts(table["text"].to_pylist(), self.rules))
        batch = codes([part.text for part in found])
        texts = list(comparables(batch, kinds_of(batch.points)))
        columns = {
            "id": [ids[part.document] for part in found],
            "document": [self.documents + part.document for part in found],
            "start": [part.start for part in found],
            "end": [part.end for part in found],
            "size": [len(text) for text in texts],
            "sha256": [hashlib.sha256(text.encode("utf-8")).digest() for text in texts],
            "signature": [row.tobytes() for row in signatures(texts, self.permutations, self.ngram)],
        }
        self.documents += len(table)
        return pa.table(columns, schema=schema("signature"))


def signatures(texts: Sequence[str], permutations: int, ngram: int) -> Signatures:
    """MinHash of the character n-grams of each comparable text, [texts, permutations]."""
    hashes, bounds = ngram_hashes(texts, ngram)
    if not texts:
        return np.empty((0, permutations), np.uint8)
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(hashes, bounds.astype(np.uint64), permutations, SEED)
    flat = np.fromiter(chain.from_iterable(matrix.to_rows()), np.uint32, len(texts) * permutations)
    return flat.astype(np.uint8).reshape(len(texts), permutations)


def ngram_hashes(texts: Sequence[str], ngram: int) -> tuple[Hashes, NDArray[np.int64]]:
    """64-bit hashes of all character n-grams, text after text, and bounds [texts + 1]; a shorter text is one."""
    batch = codes([text.ljust(ngram, "\0") for text in texts])
    points = batch.points.astype(np.uint64)
    hashes = np.zeros(max(len(points) - ngram + 1, 0), np.uint64)
    for place in range(ngram):
        hashes = (hashes ^ points[place : place + len(hashes)]) * PRIME
    lengths = np.diff(batch.bounds)
    inside = np.arange(len(hashes)) <= np.repeat(batch.bounds[1:], lengths)[: len(hashes)] - ngram
    return hashes[inside], np.concatenate([[0], np.cumsum(lengths - ngram + 1)])


def bands(tables: Iterable[pa.Table], permutations: int, threshold: float) -> Iterator[pa.Table]:
    """Rows of schema ``band`` for tables of signatures of one file, in runs sorted by key.

    Parts are numbered as they come. Besides its bands each has its digest's first bytes as a key.
    """
    rows = band_rows(permutations, threshold)
    first = 0
    for table in in_pieces(tables, RUN):
        keys = band_keys(as_matrix(table["signature"], permutations), as_matrix(table["sha256"], 32), rows)
        order = np.argsort(keys, axis=None, kind="stable")
        columns = {"key": keys.ravel()[order], "part": first + order // keys.shape[1]}
        run = pa.table(columns, schema=schema("band"))
        yield from (run.slice(start, GROUP) for start in range(0, len(run), GROUP))
        first += len(table)


def as_matrix(column: pa.ChunkedArray, width: int) -> Signatures:
    """A column of byte strings of one length, [rows, width]."""
    return np.frombuffer(b"".join(column.to_pylist()), np.uint8).reshape(len(column), width)


def exact_keys(digests: Signatures) -> Hashes:
    """The first eight bytes of each digest, big endian, as a number."""
    return np.ascontiguousarray(digests[:, :8]).view(">u8").ravel().astype(np.uint64)


def band_keys(found: Signatures, digests: Signatures, rows: int) -> Hashes:
    """A key per band of ``rows`` places, and one of the digest: [parts, bands + 1]."""
    count = found.shape[1] // rows
    cut = found[:, : count * rows].reshape(len(found), count, rows)
    keys = np.tile(np.arange(1, count + 1, dtype=np.uint64), (len(found), 1))
    for place in range(rows):
        keys = (keys ^ cut[:, :, place]) * PRIME
    return np.column_stack([mixed(keys), exact_keys(digests)])


def band_rows(permutations: int, threshold: float) -> int:
    """The most rows a band may have so that a pair at the threshold shares a band with RECALL.

    Such a pair shares one of b bands of r rows with probability 1 - (1 - t^r)^b.
    """
    fits = (r for r in range(permutations, 1, -1) if 1 - (1 - threshold**r) ** (permutations // r) >= RECALL)
    return next(fits, 1)
