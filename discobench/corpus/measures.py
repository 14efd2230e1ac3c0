"""What follows from a text: its sentences and units, its digest, and the scores that filters look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobench.corpus.characters import SCRIPTS, Kind, Kinds, are, kinds_of
from discobench.corpus.codes import Codes, codes
from discobench.corpus.hashes import mixed
from discobench.corpus.sentences import BETWEEN, Spans, Splitter
from discobench.corpus.texts import Counts, comparables, counted, sha256, unit_counts

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Look:
    """A batch of texts with BETWEEN behind each, as code points and the kind of each."""

    texts: Sequence[str]
    batch: Codes
    kinds: Kinds

    @staticmethod
    def at(texts: Sequence[str]) -> "Look":
        """Look at texts once for all that is measured of them."""
        batch = codes(texts, BETWEEN)
        return Look(texts, batch, kinds_of(batch.points))


@dataclass(frozen=True, slots=True)
class Measures:
    """Of a batch of texts: sentences, units, digests of the comparable forms, a score [texts] by name."""

    spans: Spans
    units: Counts
    digests: list[str]
    scores: Mapping[str, Scores]


def measures(look: Look, language: str, abbreviations: frozenset[str]) -> Measures:
    """All that is measured of a batch; how many bytes a text has is known where it is encoded."""
    batch, kinds = look.batch, look.kinds
    spans = Splitter(batch, kinds, language, abbreviations).spans()
    units = unit_counts(batch, kinds, language)
    scores = {
        "units": units.astype(np.float64),
        "repetition": repetition(look.texts, batch, spans),
        **shares(batch, kinds, language, units),
    }
    return Measures(spans, units, [sha256(text) for text in comparables(batch, kinds)], scores)


def shares(batch: Codes, kinds: Kinds, language: str, units: Counts) -> dict[str, Scores]:
    """Letters of the language's own script among letters; digits and marks among what is not blank.

    In Chinese that is what ``units`` count.
    """
    letter, word, digit, own = (
        counted(batch, are(kinds, kind)) for kind in (Kind.LETTER, Kind.WORD, Kind.DIGIT, SCRIPTS[language])
    )
    visible = units if language == "zh" else counted(batch, ~are(kinds, Kind.BLANK))
    return {
        "script": own / np.maximum(letter, 1),
        "digits": digit / np.maximum(visible, 1),
        "marks": (visible - word) / np.maximum(visible, 1),
    }


def repetition(texts: Sequence[str], batch: Codes, spans: Spans) -> Scores:
    """Share of each text's sentences that repeat an earlier one."""
    counts, owners = np.diff(spans.bounds), np.repeat(np.arange(len(texts)), np.diff(spans.bounds))
    alike = np.flatnonzero(_alike(batch, spans, owners))
    repeated = np.zeros(len(texts), np.int64)
    seen: set[tuple[int, str]] = set()
    places = (column[alike].tolist() for column in (owners, spans.starts, spans.ends))
    for owner, start, end in zip(*places, strict=True):
        before = len(seen)
        seen.add((owner, texts[owner][start:end]))
        repeated[owner] += len(seen) == before
    return np.where(counts, 1 - (counts - repeated) / np.maximum(counts, 1), 0.0)


def _alike(batch: Codes, spans: Spans, owners: Counts) -> NDArray[np.bool_]:
    """Sentences that may not be the only ones of their kind in their text: some characters and the length agree."""
    starts, ends = (column + batch.bounds[owners] for column in (spans.starts, spans.ends))
    keys = owners.astype(np.uint64)
    some = (batch.points[place] for place in (starts, (starts + ends) // 2, np.maximum(starts, ends - 2)))
    for value in (ends - starts, *some):
        keys = mixed(keys ^ value.astype(np.uint64))
    order = np.sort(keys)
    return np.isin(keys, order[1:][order[1:] == order[:-1]])
