"""What the page says of validation and test instances that stand in training text."""

from pathlib import Path
from typing import Any

from discobench.files import read_json

EXAMPLES = 3


def leakage_shown(path: Path) -> dict[str, Any]:
    """Warnings, and the pairs of a held-out set and a training set that share anything, each with a few ids."""
    found = read_json(path)
    lines = [
        pair | {"examples": [row["id"] for row in found["findings"] if _of(row, pair)][:EXAMPLES]}
        for pair in found["pairs"]
        if pair["exact"] or pair["overlap"] or pair["works"]
    ]
    return {
        "warnings": found["warnings"],
        "lines": lines,
        "sets": len({(p["task"], p["split"]) for p in found["pairs"]}),
    }


def _of(row: dict[str, Any], pair: dict[str, Any]) -> bool:
    return all(row[key] == pair[key] for key in ("task", "split", "train"))
