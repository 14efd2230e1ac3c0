"""Instances of text expansion for a person to read."""

import hashlib
from collections.abc import Iterable, Mapping
from heapq import nsmallest
from typing import Any

from discobench.synthesis.expansion import ordered

Record = Mapping[str, Any]


def sample(records: Iterable[Record], size: int, seed: int) -> list[Record]:
    """``size`` records drawn by a hash of seed and id, whatever their order."""
    return nsmallest(size, records, key=lambda record: hashlib.sha256(f"{seed}:{record['id']}".encode()).digest())


def marked(record: Record) -> str:
    """Id, perplexities and target: ``[[what was deleted|rule]]``, ``{what the source has|what the target has}``."""
    target, parts, place = str(record["target"]), [], 0
    for span in ordered(record["insertions"], record["edits"]):
        text = target[span["start"] : span["end"]]
        mark = f"[[{text}|{span['rule']}]]" if "rule" in span else f"{{{span['from']}|{text}}}"
        parts += [target[place : span["start"]], text if text == " " and "from" in span else mark]
        place = span["end"]
    scores = f"{record['perplexity_source']:.0f} / {record['perplexity_target']:.0f}"
    return f"{record['id']}  perplexity {scores}\n  {''.join(parts)}{target[place:]}\n  = {record['source_text']}\n"
