"""Filters: which scores of a document keep it from the corpus. Thresholds can be changed without cleaning again."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discobench.parquet import count_rows, iterate_tables
from discobench.schema import schema

Codes = NDArray[np.uint8]
SCORES = [name for name in schema("attributes").names if name != "id"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of what is kept; the keys of ``corpus.filters`` in the configuration, for one language."""

    min_units: int
    max_bytes: int
    max_repetition: float
    min_language: float
    max_digits: float
    max_marks: float


REASONS = ("empty", "too short", "too large", "repetitive", "other script", "digits", "marks")
"""Why a document is dropped; of several reasons the first counts."""


def failing_parts(attributes: Sequence[Path], signatures: Sequence[Path], limits: Limits) -> Codes:
    """For each part in files of schema ``signature``, one per file of schema ``attributes``, its document's failure."""
    found = np.empty(sum(map(count_rows, signatures)), np.uint8)
    first = 0
    for scores, parts in zip(attributes, signatures, strict=True):
        pieces = [failures(table, limits) for table in iterate_tables(scores, "attributes", SCORES)]
        failing = np.concatenate([*pieces, np.empty(0, np.uint8)])
        for table in iterate_tables(parts, "signature", ["document"]):
            found[first : first + len(table)] = failing[table["document"].to_numpy()]
            first += len(table)
    return found


def failures(attributes: pa.Table, limits: Limits) -> Codes:
    """For each row of schema ``attributes`` 0, or 1 + the place in REASONS of why its document is dropped."""
    score = {name: attributes[name].to_numpy() for name in SCORES}
    faults = (
        score["units"] == 0,
        score["units"] < limits.min_units,
        score["bytes"] > limits.max_bytes,
        score["repetition"] > limits.max_repetition,
        score["script"] < limits.min_language,
        score["digits"] > limits.max_digits,
        score["marks"] > limits.max_marks,
    )
    return np.asarray(np.select(faults, range(1, len(faults) + 1), 0), np.uint8)
