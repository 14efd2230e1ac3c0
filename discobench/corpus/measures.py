"""What follows from a text: its sentences and units, its digest, and the scores that filters look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobench.corpus.characters import SCRIPTS, Kind, Kinds, are, kinds_of
from discobench.corpus.codes import Codes, codes
from discobench.corpus.sentences import BETWEEN, Spans, Splitter
from discobench.corpus.texts import Counts, comparables, counted, sha256, unit_counts

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measures:
    """Of a batch of texts: sentences, units, digests of the comparable forms, a score [texts] by name."""

    spans: Spans
    units: Counts
    digests: list[str]
    scores: Mapping[str, Scores]


def measures(texts: Sequence[str], language: str, abbreviations: frozenset[str]) -> Measures:
    """Look at a batch of texts once."""
    batch = codes(texts, BETWEEN)
    kinds = kinds_of(batch.points)
    spans = Splitter(batch, kinds, language, abbreviations).spans()
    units = unit_counts(batch, kinds, language)
    scores = {
        "units": units.astype(np.float64),
        "bytes": np.fromiter((len(text.encode("utf-8")) for text in texts), np.float64, len(texts)),
        "repetition": repetition(texts, spans),
        **shares(batch, kinds, language),
    }
    return Measures(spans, units, [sha256(text) for text in comparables(batch, kinds)], scores)


def shares(batch: Codes, kinds: Kinds, language: str) -> dict[str, Scores]:
    """Letters of the language's own script among letters; digits and marks among what is not blank."""
    blank, letter, word, digit, own = (
        counted(batch, are(kinds, kind)) for kind in (Kind.BLANK, Kind.LETTER, Kind.WORD, Kind.DIGIT, SCRIPTS[language])
    )
    visible = np.diff(batch.bounds) - blank
    return {
        "script": own / np.maximum(letter, 1),
        "digits": digit / np.maximum(visible, 1),
        "marks": (visible - word) / np.maximum(visible, 1),
    }


def repetition(texts: Sequence[str], spans: Spans) -> Scores:
    """Share of each text's sentences that repeat an earlier one."""
    starts, ends, bounds = (column.tolist() for column in (spans.starts, spans.ends, spans.bounds))
    found = np.zeros(len(texts))
    for number, text in enumerate(texts):
        chosen = slice(bounds[number], bounds[number + 1])
        pieces = [text[start:end] for start, end in zip(starts[chosen], ends[chosen], strict=True)]
        found[number] = 1 - len(set(pieces)) / len(pieces) if pieces else 0.0
    return found
