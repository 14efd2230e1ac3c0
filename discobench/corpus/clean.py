"""Documents to clean documents: normal form, boilerplate, sentences, filters, split."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from discobench.corpus.rules import Rules
from discobench.corpus.sentences import sentences
from discobench.corpus.texts import digest, normalise, script_share, units
from discobench.records import split_of
from discobench.sieve import Outcome, Record


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of what is kept; the keys of ``corpus`` in the configuration."""

    min_units: int
    max_repetition: float
    min_language: float
    max_document_bytes: int


class Cleaner:
    """Cleans documents of one language; ``separators`` counts the odd line separators replaced."""

    def __init__(self, rules: Rules, limits: Limits, shares: Mapping[str, float], seed: int) -> None:
        self.rules, self.limits, self.shares, self.seed = rules, limits, shares, seed
        self.separators = 0

    def clean(self, record: Record) -> Outcome:
        """The clean record and why it is dropped, or None."""
        text, count = normalise(record["text"])
        self.separators += count
        text = unwrapped(without_boilerplate(text, self.rules), self.rules)
        title = record["title"] and normalise(record["title"])[0].strip()
        split = split_of(record["work_id"], self.shares, self.seed)
        cleaned = measured({**record, "text": text, "title": title, "split": split}, self.rules.abbreviations)
        return cleaned, reason(cleaned, self.limits)


def without_boilerplate(text: str, rules: Rules) -> str:
    """The work's own lines without blanks at their ends; at most one empty line in a row."""
    lines = [line.strip() for line in text.split("\n")]
    first = max((n + 1 for n, line in enumerate(lines) if rules.begin.fullmatch(line)), default=0)
    ends = (n for n, line in enumerate(lines) if n >= first and rules.end.fullmatch(line))
    kept = [line for line in lines[first : next(ends, len(lines))] if not rules.lines.fullmatch(line)]
    pairs = zip(kept, ["", *kept], strict=False)
    return "\n".join(line for line, before in pairs if line or before).strip()


def unwrapped(text: str, rules: Rules) -> str:
    """Lines broken by a fixed width joined again; an empty line always ends a paragraph."""
    lines = text.split("\n")
    goes_on = [rules.wrapped.broke(line) and bool(after) for line, after in pairwise([*lines, ""])]
    ends = [rules.wrapped.joint if on else "\n" for on in goes_on[:-1]] + [""]
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


def measured(record: Mapping[str, Any], abbreviations: frozenset[str]) -> dict[str, Any]:
    """The record with everything that follows from its text."""
    text, language = record["text"], record["language"]
    spans = [{"start": start, "end": end} for start, end in sentences(text, language, abbreviations)]
    return {**record, "sentence_offsets": spans, "units": units(text, language), "sha256": digest(text)}


def reason(record: Record, limits: Limits) -> str | None:
    """Why a measured record is dropped, or None."""
    if record["units"] < limits.min_units:
        return "too short" if record["units"] else "empty"
    if len(record["text"].encode("utf-8")) > limits.max_document_bytes:
        return "too large"
    if repetition(record) > limits.max_repetition:
        return "repetitive"
    if script_share(record["text"], record["language"]) < limits.min_language:
        return "other script"
    return None


def repetition(record: Record) -> float:
    """Share of sentences that repeat an earlier one of the document."""
    text, spans = record["text"], record["sentence_offsets"]
    counts = Counter(text[span["start"] : span["end"]] for span in spans)
    return 1 - len(counts) / len(spans) if spans else 0.0
