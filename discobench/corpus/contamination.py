"""Overlap of training documents with test sets: n-grams of characters (zh) or words (en)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from discobench.corpus.clean import measured
from discobench.sieve import Outcome, Record

TOKEN = {"zh": re.compile(r"[^\W_]"), "en": re.compile(r"\w+(?:['’]\w+)*")}
NOT_TEXT = frozenset({"id", "source", "work_id", "language", "split", "document_id", "tree_ids"})

Token = tuple[str, int, int]
Hit = tuple[int, int, str, str]
"""Start and end (code points) of a span, the task and the instance that has it too."""


def tokens(text: str, language: str) -> list[Token]:
    """Characters (zh) or words (en) without case and punctuation, with their code point spans."""
    return [(match[0].casefold(), *match.span()) for match in TOKEN[language].finditer(text)]


def texts(value: Any) -> Iterator[str]:
    """All strings in a task's record, whatever its fields, but ids and the like."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for key, item in value.items() if key not in NOT_TEXT for text in texts(item))
    elif isinstance(value, list | tuple):
        yield from (text for item in value for text in texts(item))


class Index:
    """n-grams of test sets; each leads to the smallest (task, instance) that has it."""

    def __init__(self, language: str, n: int) -> None:
        self.language, self.n = language, n
        self.grams: dict[str, tuple[str, str]] = {}
        self.short = 0

    def add(self, task: str, records: Iterable[Record]) -> None:
        """Take in the text of a test set. Texts shorter than n give no n-gram and are counted in ``short``."""
        for record in records:
            owner = (task, str(record["id"]))
            for text in texts(record):
                grams = self._grams(tokens(text, self.language))
                self.short += not grams
                self.grams |= {gram: min(owner, self.grams.get(gram, owner)) for gram in grams}

    def _grams(self, found: list[Token]) -> list[str]:
        words = [token[0] for token in found]
        return ["\x1f".join(words[place : place + self.n]) for place in range(len(words) - self.n + 1)]

    def search(self, text: str) -> tuple[list[Hit], float]:
        """Spans of a text that a test set has too, and the share of its n-grams that do.

        Neighbouring n-grams of one instance make one span.
        """
        found = tokens(text, self.language)
        grams = self._grams(found)
        places = [(place, self.grams[gram]) for place, gram in enumerate(grams) if gram in self.grams]
        hits: list[Hit] = []
        for place, owner in places:
            start, end = found[place][1], found[place + self.n - 1][2]
            if hits and hits[-1][2:] == owner and start <= hits[-1][1]:
                start = hits.pop()[0]
            hits.append((start, end, *owner))
        return hits, len(places) / max(len(grams), 1)


class Decontaminator:
    """Drops test works and what a test set has; ``spans`` has rows of schema ``contamination``."""

    def __init__(self, index: Index, unit: str, threshold: float, abbreviations: frozenset[str]) -> None:
        self.index, self.unit, self.threshold = index, unit, threshold
        self.abbreviations = abbreviations
        self.spans: list[dict[str, Any]] = []

    def __call__(self, record: Record) -> Outcome:
        """The record, or what is left of it, and why it is dropped, or None."""
        if record["split"] == "test":
            return record, "test work"
        hits, share = self.index.search(record["text"])
        self.spans.extend(_row(record, hit) for hit in hits)
        if not hits:
            return record, None
        if self.unit == "document":
            return record, "contaminated" if share >= self.threshold else None
        rest = measured({**record, "text": without(record, hits)}, self.abbreviations)
        return (rest, None) if rest["units"] else (record, "contaminated")


def _row(record: Record, hit: Hit) -> dict[str, Any]:
    start, end, task, instance = hit
    place = {"start": start, "end": end, "task": task, "instance": instance}
    return {"id": record["id"], "genre": record["source"], **place}


def without(record: Record, hits: Iterable[Hit]) -> str:
    """A record's text less every sentence that a hit touches."""
    text, pieces, position = record["text"], [], 0
    for span in record["sentence_offsets"]:
        if any(start < span["end"] and end > span["start"] for start, end, *_ in hits):
            pieces.append(text[position : span["start"]])
            position = span["end"]
    return "".join([*pieces, text[position:]]).strip()
