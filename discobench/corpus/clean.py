"""Documents to clean documents: normal form, boilerplate, sentences, split; scores beside the text.

Nothing is dropped here; filters look at the scores later.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from unicodedata import normalize

import numpy as np
import pyarrow as pa
from pyarrow.compute import binary_length

from discobench.corpus.characters import Kind, are
from discobench.corpus.measures import Look, Measures, measures
from discobench.corpus.rules import Rules
from discobench.corpus.texts import Width, counted, narrowed, normalise, simplified
from discobench.parquet import column
from discobench.records import split_of
from discobench.schema import schema
from discobench.sieve import Sink

FULL_WIDTH = 0x3000
"""The first character that has a half-width form."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Which form characters get: full- or half-width, traditional Chinese as it is or simplified."""

    width: Width
    simplify: bool


class Cleaner:
    """Cleans tables of documents of one language.

    ``sink``, by default the list ``scores``, gets a table of schema ``attributes`` for each; ``notes`` counts
    odd line separators replaced, and characters that the rules removed.
    """

    def __init__(
        self,
        rules: Rules,
        language: str,
        forms: Forms,
        shares: Mapping[str, float],
        seed: int,
        sink: Sink[pa.Table] | None = None,
    ) -> None:
        self.rules, self.language, self.forms, self.shares, self.seed = rules, language, forms, shares, seed
        self.scores: list[pa.Table] = []
        self.sink: Sink[pa.Table] = self.scores if sink is None else sink
        self.notes = {"separators": 0, "boilerplate": 0}

    def __call__(self, table: pa.Table) -> pa.Table:
        """The clean documents, in their order."""
        texts = table["text"].to_pylist()
        look = self._look(texts)
        titles = [title and self._form(normalise(title)[0]).strip() for title in table["title"].to_pylist()]
        found = measures(look, self.language, self.rules.abbreviations)
        changes = {"title": titles, "split": self._splits(table["work_id"]), **_columns(found)}
        if look.texts != texts:
            changes["text"] = look.texts
        for name, values in changes.items():
            kind = schema("document").field(name)
            table = table.set_column(table.schema.get_field_index(name), kind, column(values, kind.type))
        scores = {**found.scores, "id": table["id"], "bytes": binary_length(table["text"]).cast(pa.float64())}
        self.sink.append(pa.table({name: scores[name] for name in schema("attributes").names}, schema("attributes")))
        return table

    def _splits(self, works: pa.ChunkedArray) -> list[str]:
        known = {work: split_of(work, self.shares, self.seed) for work in works.unique().to_pylist()}
        return [known[work] for work in works.to_pylist()]

    def _look(self, texts: list[str]) -> Look:
        """The clean texts; a batch in which nothing changes is not looked at again."""
        raw = Look.at([normalize("NFC", text) for text in texts])
        change = are(raw.kinds, Kind.ODD | Kind.WIDE)
        wide = raw.batch.points >= FULL_WIDTH if self.forms.width == "all" else False
        odd = counted(raw.batch, change | wide) > 0
        flagged = zip(raw.texts, odd, strict=True)
        clean = [self._text(self._normal(text) if changes else text) for text, changes in flagged]
        return raw if clean == raw.texts else Look.at(clean)

    def _normal(self, text: str) -> str:
        """A text that has some of the few characters that change."""
        text, count = normalise(text)
        self.notes["separators"] += count
        return narrowed(text, self.forms.width)

    def _text(self, text: str) -> str:
        given = text.split("\n")
        own, removed = without_boilerplate(given, self.rules)
        self.notes["boilerplate"] += removed
        lines = unwrapped(own, self.rules)
        return self._simple(text if lines == given else "\n".join(lines))

    def _form(self, text: str) -> str:
        return self._simple(narrowed(text, self.forms.width))

    def _simple(self, text: str) -> str:
        return simplified(text) if self.forms.simplify else text


def _columns(found: Measures) -> dict[str, Any]:
    spans = pa.StructArray.from_arrays([found.spans.starts, found.spans.ends], ["start", "end"])
    offsets = pa.ListArray.from_arrays(found.spans.bounds.astype(np.int32), spans)
    return {"sentence_offsets": offsets, "units": found.units, "sha256": found.digests}


def without_boilerplate(lines: Sequence[str], rules: Rules) -> tuple[list[str], int]:
    """The work's own lines without blanks at their ends, at most one empty line in a row; characters cut."""
    bare = [line.strip() for line in lines]
    kept = _own(bare, rules) if any(map(rules.special.fullmatch, filter(None, bare))) else bare
    removed = 0 if kept is bare else sum(map(len, bare)) - sum(map(len, kept))
    return _spaced(kept), removed


def _spaced(lines: list[str]) -> list[str]:
    """Lines without empty ones at both ends and behind another empty one."""
    if "" not in lines:
        return lines
    kept = [line for line, before in zip(lines, ["", *lines], strict=False) if line or before]
    return kept if not kept or kept[-1] else kept[:-1]


def _own(lines: list[str], rules: Rules) -> list[str]:
    own = _closed(_framed(lines, rules), rules.seams)
    return [line for line in own if not rules.lines.fullmatch(line)]


def _framed(lines: list[str], rules: Rules) -> list[str]:
    """Lines from each beginning to the end behind it: one file may hold several works in frames of their own."""
    kept: list[str] = []
    ended, inside = 0, True
    for line in lines:
        if line and rules.begin.fullmatch(line):
            del kept[ended:]
            inside = True
        elif line and inside and rules.end.fullmatch(line):
            ended, inside = len(kept), False
        elif inside:
            kept.append(line)
    return kept


def _closed(lines: list[str], seams: re.Pattern[str]) -> list[str]:
    """Lines without those that lie inside a paragraph, and without the empty lines around them."""
    kept: list[str] = []
    seam = False
    for line in lines:
        if line and seams.fullmatch(line):
            seam = True
            while kept and not kept[-1]:
                kept.pop()
        elif line or not seam:
            seam = False
            kept.append(line)
    return kept


def unwrapped(lines: list[str], rules: Rules) -> list[str]:
    """Lines broken by a fixed width joined again; an empty line always ends a paragraph."""
    wrapped = rules.wrapped
    shortest, longest, unless = wrapped.shortest, wrapped.longest, wrapped.unless.fullmatch
    fitting = [number for number, line in enumerate(lines[:-1]) if shortest <= len(line) <= longest]
    broken = [number for number in fitting if lines[number + 1] and not unless(lines[number])]
    if not broken:
        return lines
    joints = ["\n"] * (len(lines) - 1)
    for number in broken:
        joints[number] = wrapped.joint
    return "".join(chain.from_iterable(zip(lines, [*joints, ""], strict=True))).split("\n")
