"""What documents share with the test sets of one language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discobench.corpus.codes import Codes, codes
from discobench.corpus.hashes import Hashes
from discobench.corpus.ngrams import Places, Tokens, ngrams, tokens

SPARE_BITS = 4
"""The filter has sixteen places or more for an n-gram: at most one stranger in sixteen is looked up."""
MOST_BITS = 28

Owners = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Hits:
    """n-grams that documents share with instances: a row for each such pair, by document, owner and place.

    ``document`` and ``owner`` (an instance) are numbers; ``place`` is the token where the n-gram begins,
    which takes the code points [``start``, ``end``) of its document.
    """

    document: Places
    owner: Places
    place: Places
    start: Places
    end: Places
    hash: Hashes

    def rows(self, chosen: NDArray[np.int64] | NDArray[np.bool_] | slice) -> "Hits":
        """Some of the rows."""
        return Hits(*(getattr(self, name)[chosen] for name in Hits.__slots__))

    def by_document(self) -> Iterator[tuple[int, "Hits"]]:
        """The rows of each document that has any."""
        documents, starts = np.unique(self.document, return_index=True)
        edges = pairwise([*starts.tolist(), len(self.document)])
        for document, (start, end) in zip(documents.tolist(), edges, strict=True):
            yield document, self.rows(slice(start, end))

    def spans(self) -> list[tuple[int, int, int]]:
        """Start, end and owner; neighbouring n-grams of one owner in one document make one span."""
        fresh = (np.diff(self.owner, prepend=-1) != 0) | (self.start > np.concatenate([[-1], self.end[:-1]]))
        first = np.flatnonzero(fresh)
        last = np.append(first[1:], len(fresh)) - 1
        return list(zip(self.start[first].tolist(), self.end[last].tolist(), self.owner[first].tolist(), strict=True))


NO_PLACES: Places = np.empty(0, np.int64)
NOTHING = Hits(NO_PLACES, NO_PLACES, NO_PLACES, NO_PLACES, NO_PLACES, np.empty(0, np.uint64))
"""No rows, of the right kinds: signed and unsigned numbers together would be floats, of which no hash is one."""


class Level:
    """The n-grams of one length: ``hashes`` rising, and the owners of each, which are given in rising order."""

    def __init__(self, n: int, hashes: Hashes, owners: Owners) -> None:
        order = np.argsort(hashes, kind="stable")
        hashes, self.n, self.owners = hashes[order], n, owners[order]
        del order
        first = np.flatnonzero(np.diff(hashes, prepend=~hashes[:1]) != 0)
        self.starts = np.append(first, len(hashes))
        self.shift = np.uint64(64 - min(MOST_BITS, len(hashes).bit_length() + SPARE_BITS))
        self.hashes = hashes = hashes[first]
        del first
        self.filter = np.zeros(1 << (64 - int(self.shift)), bool)
        self.filter[hashes >> self.shift] = True

    def search(self, found: Codes, words: Tokens) -> Hits:
        """All n-grams of texts that are known here."""
        hashes = ngrams(words.values, self.n)
        places = np.flatnonzero(self.filter[hashes >> self.shift])
        ranks = np.minimum(np.searchsorted(self.hashes, hashes[places]), len(self.hashes) - 1)
        known = self.hashes[ranks] == hashes[places]
        places, ranks = places[known], ranks[known]
        document = found.text_at(words.starts[places])
        inside = document == found.text_at(words.starts[places + self.n - 1])
        return self._owned(found, words, places[inside], ranks[inside], document[inside])

    def _owned(self, found: Codes, words: Tokens, places: Places, ranks: Places, document: Places) -> Hits:
        """A row for each owner of an n-gram."""
        counts = self.starts[ranks + 1] - self.starts[ranks]
        row = np.repeat(np.arange(len(places)), counts)
        nth = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
        owner = self.owners[self.starts[ranks][row] + nth]
        base = found.bounds[document]
        start, end = words.starts[places] - base, words.ends[places + self.n - 1] - base
        return Hits(document[row], owner, places[row], start[row], end[row], self.hashes[ranks][row])


class Index:
    """All n-grams of a table of schema ``ngrams``, whose rows are the owners; a task has one length of n-grams."""

    def __init__(self, table: pa.Table, language: str) -> None:
        self.language = language
        self.tasks: list[str] = table["task"].to_pylist()
        self.instances: list[str] = table["instance"].to_pylist()
        self.n_of: dict[str, int] = dict(zip(self.tasks, table["n"].to_pylist(), strict=True))
        levels = (self._level(table, n) for n in sorted(set(self.n_of.values())))
        self.levels = [level for level in levels if len(level.hashes)]

    def _level(self, table: pa.Table, n: int) -> Level:
        rows = np.flatnonzero(table["n"].to_numpy() == n).astype(np.int32)
        owners, hashes = flat(table.take(rows))
        return Level(n, hashes, rows[owners])

    def search(self, texts: Sequence[str]) -> tuple[Hits, Places]:
        """What texts share with the instances, and how many tokens each text has."""
        found = codes(texts)
        words = tokens(found, self.language)
        parts = [level.search(found, words) for level in self.levels]
        columns = (np.concatenate([getattr(part, name) for part in (NOTHING, *parts)]) for name in Hits.__slots__)
        hits = Hits(*columns)
        order = np.lexsort((hits.place, hits.owner, hits.document))
        return hits.rows(order), np.diff(found.before(words.starts))


def flat(table: pa.Table) -> tuple[Owners, Hashes]:
    """All hashes of a table of schema ``ngrams`` and the rows that own them, rising."""
    column = table["hashes"].combine_chunks()
    owners = np.repeat(np.arange(len(column), dtype=np.int32), column.value_lengths().to_numpy())
    return owners, column.flatten().to_numpy().view(np.uint64)
