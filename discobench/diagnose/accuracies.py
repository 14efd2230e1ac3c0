"""The accuracies of a suite that no table of the paper has room for, and which rows can be told apart on it."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.diagnose.comparison import compare
from discobench.files import open_text, whole

COLUMNS = (
    *("row", "seed", "reading", "type", "accuracy", "ci_low", "ci_high", "chance"),
    *("correct", "n", "ties", "unread", "cut", "signature", "decoding"),
)
PAIRS = ("first", "second", "reading", "type", "n", "first_better", "second_better", "p", "holm")
Ranking = Mapping[str, Any]


def lines(rankings: Sequence[Ranking]) -> Iterator[dict[str, Any]]:
    """A line for each row, seed, reading and type; shares in per cent, ``cut`` of all types together."""
    for ranking in rankings:
        own = {"row": ranking["row"], "seed": ranking["seed"], "cut": ranking.get("cut", 0)}
        for reading, types in ranking["readings"].items():
            for kind, entry in types.items():
                low, high = entry["ci95"]
                yield own | {"reading": reading, "type": kind, "ci_low": low, "ci_high": high} | _known(entry)


def _known(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name in COLUMNS}


def pairs(rankings: Sequence[Ranking]) -> Iterator[dict[str, Any]]:
    """A line for each pair of rows, reading and type, as ``compare`` tests them."""
    for pair in compare(rankings)["pairs"]:
        names = {"first": pair["rows"][0], "second": pair["rows"][1]}
        better = {"first_better": pair["better"][0], "second_better": pair["better"][1]}
        yield {name: value for name, value in pair.items() if name in PAIRS} | names | better


def write_lines(path: Path, columns: Sequence[str], rows: Iterator[dict[str, Any]]) -> None:
    """Write them as CSV; floats with four decimals."""
    with whole(path) as temporary, open_text(temporary, "w") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: f"{v:.4f}" if isinstance(v, float) else v for name, v in row.items()} for row in rows)
