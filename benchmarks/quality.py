"""Near-duplicates found against those that there are."""

from collections.abc import Iterable
from pathlib import Path

from discobench.files import read_json
from discobench.parquet import iterate_parquet

BINS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0))
Pair = tuple[str, str]


def found_by_us(duplicates: Path) -> set[Pair]:
    """Pairs of names in a file of schema ``duplicate``; a name is the work's."""
    rows = iterate_parquet(duplicates, "duplicate")
    return {_pair(*(row[end].split(":")[1] for end in ("id", "kept"))) for row in rows if "near" in row["reason"]}


def _pair(first: str, second: str) -> Pair:
    return min(first, second), max(first, second)


def quality(found: Iterable[Pair], truth: Path, threshold: float, last: str) -> dict[str, float]:
    """Recall by bins of true similarity, and precision: the share of found pairs that are as similar as asked.

    Only pairs of documents up to the name ``last`` count. Pairs of documents that are no copies have
    a similarity near 0.
    """
    similarity = {_pair(first, second): value for first, second, value in read_json(truth) if second <= last}
    pairs = {pair for pair in found if max(pair) <= last}
    result = {}
    for low, high in BINS:
        known = {pair for pair, value in similarity.items() if low <= value < high}
        result[f"recall {low}-{high}"] = len(known & pairs) / max(len(known), 1)
    good = [similarity.get(pair, 0.0) >= threshold for pair in pairs]
    nearly = [similarity.get(pair, 0.0) >= threshold - 0.05 for pair in pairs]
    shares = {"precision": good, f"precision, {threshold - 0.05:.2f} counts": nearly}
    return result | {name: sum(hits) / len(pairs) if pairs else 0.0 for name, hits in shares.items()}
