"""Sentence splitting that keeps a closing quotation mark with its sentence. Offsets are code points.

Lines end sentences. So does a run of stops with the closing marks behind it; dots alone do so only
before a closing mark, and in Chinese nothing does before a comma. A straight quotation mark in Chinese
closes what its line opened: every second.
English sentences also need a blank and a capital (or a letter without case, or a digit) to follow,
and a single full stop must not be an abbreviation's or an initial's (the word I is neither).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from discobench.corpus.characters import STOPS, Kind, Kinds, are, kinds_of
from discobench.corpus.codes import Codes, codes

Span = tuple[int, int]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]

STEPS = 6
"""Runs of marks and blanks are seldom longer."""
BETWEEN = "\n"
"""Put behind each text of a batch: no sentence crosses it."""
DOT = ord(".")
GOES_ON = np.frombuffer("，、；,;".encode("utf-32-le"), np.uint32)
"""What stands behind a stop, or a quotation that ends with one, inside a Chinese sentence."""
BASE = np.uint64(128)


@dataclass(frozen=True, slots=True)
class Spans:
    """Sentences of texts: ``starts`` and ``ends`` int64 in each one's text; ``bounds`` int64 [texts + 1] into them."""

    starts: Places
    ends: Places
    bounds: Places


def sentences(text: str, language: str, abbreviations: frozenset[str] = frozenset()) -> list[Span]:
    """Half-open spans of the sentences of ``text``, without blanks around them.

    Every character that is not blank lies in exactly one span.
    """
    spans = split([text], language, abbreviations)
    return list(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True))


def split(texts: Sequence[str], language: str, abbreviations: frozenset[str] = frozenset()) -> Spans:
    """The sentences of each text."""
    batch = codes(texts, BETWEEN)
    return Splitter(batch, kinds_of(batch.points), language, abbreviations).spans()


class Splitter:
    """Finds the sentences of a batch of texts that BETWEEN stands behind."""

    def __init__(self, batch: Codes, kinds: Kinds, language: str, abbreviations: frozenset[str]) -> None:
        self.batch, self.kinds, self.language, self.abbreviations = batch, kinds, language, abbreviations
        self.points = batch.points
        self.line = self.points == ord("\n")
        self.blank = are(self.kinds, Kind.BLANK)

    def spans(self) -> Spans:
        """What lies between two ends, less the blanks at either side, where anything is left."""
        marks = self.line.copy()
        marks[self._ends()] = True
        ends = np.flatnonzero(marks)
        before = np.concatenate([[0], ends])[:-1]
        starts, stops = _behind(self.blank, before), _opened(self.blank, ends)
        filled = starts < stops
        starts, stops = starts[filled], stops[filled]
        origin = self.batch.bounds[self.batch.text_at(starts)]
        return Spans(starts - origin, stops - origin, self.batch.before(starts))

    def _ends(self) -> Places:
        """Where sentences end inside a line."""
        stops = np.flatnonzero(are(self.kinds, STOPS[self.language]))
        if not len(stops):
            return stops
        runs = are(self.kinds, Kind.CLOSER | STOPS[self.language]) | self._straight()
        ends = _behind(runs, stops)
        first = np.flatnonzero(np.diff(ends, prepend=-1))
        ends, count = ends[first], np.diff(first, append=len(ends))
        closed = ends - stops[first] > count
        hard = np.logical_or.reduceat(are(self.kinds[stops], Kind.HARD), first)
        if self.language == "zh":
            return np.asarray(ends[(hard | closed) & ~np.isin(self.points[ends], GOES_ON)])
        single = (count == 1) & (self.points[stops[first]] == DOT)
        chosen = (hard | closed | single) & self._begins(ends)
        alone = chosen & single & ~closed
        chosen[alone] = ~self._short(ends[alone] - 1)
        return np.asarray(ends[chosen])

    def _straight(self) -> Flags:
        """Which straight quotation marks close: in English all may."""
        straight = are(self.kinds, Kind.STRAIGHT)
        if self.language == "en" or not straight.any():
            return straight
        closing, lines = np.zeros(len(straight), bool), np.flatnonzero(self.line)
        for mark in "\"'":
            places = np.flatnonzero(self.points == ord(mark))
            earlier = np.searchsorted(places, np.concatenate([[0], lines])[np.searchsorted(lines, places)])
            closing[places[(np.arange(len(places)) - earlier) % 2 == 1]] = True
        return closing

    def _begins(self, ends: Places) -> Flags:
        """Whether a blank and then what can open a sentence stand at some places."""
        following, opener = _behind(self.blank, ends), are(self.kinds, Kind.OPENER)
        kind = self.kinds[_behind(opener, following)]
        return self.blank[ends] & are(kind, Kind.WORD) & ~are(kind, Kind.LOWER)

    def _short(self, dots: Places) -> Flags:
        """Whether the word before each dot is short for something."""
        longest = max(map(len, self.abbreviations), default=1)
        lengths, goes_on = np.zeros(len(dots), np.int64), np.ones(len(dots), bool)
        for place in dots - np.arange(1, longest + 2)[:, None]:
            goes_on &= (place >= 0) & _ascii_letters(self.points[np.maximum(place, 0)])
            lengths += goes_on
        starts = dots - lengths
        numbers = np.zeros(len(dots), np.uint64)
        for place in range(longest):
            more = numbers * BASE + self.points[np.minimum(starts + place, dots)]
            numbers = np.where(place < lengths, more, numbers)
        listed = np.fromiter(map(_number, self.abbreviations), np.uint64)
        known = np.isin(numbers, listed) & (lengths <= longest)
        initial = (lengths == 1) & (self.points[starts] != ord("I"))
        return np.asarray((known & (lengths > 0)) | initial)


def _behind(flags: Flags, places: Places) -> Places:
    """Where the runs of flags that places lie in end, but for the last character at most; other places stay."""
    last = len(flags) - 1
    for _ in range(STEPS):
        step = flags[places]
        if not step.any():
            return places
        places = np.minimum(places + step, last)
    inside = np.flatnonzero(flags[places] & (places < last))
    if len(inside):
        ends = np.append(np.flatnonzero(flags[:-1] > flags[1:]) + 1, last)
        places[inside] = ends[np.searchsorted(ends, places[inside], side="right")]
    return places


def _opened(flags: Flags, places: Places) -> Places:
    """Where the runs of flags that end at places begin; places behind no flag stay."""
    for _ in range(STEPS):
        step = flags[places - 1] & (places > 0)
        if not step.any():
            return places
        places = places - step
    inside = np.flatnonzero(flags[places - 1] & (places > 0))
    if len(inside):
        starts = np.append(0, np.flatnonzero(flags[:-1] < flags[1:]) + 1)
        places[inside] = starts[np.searchsorted(starts, places[inside], side="right") - 1]
    return places


def _number(word: str) -> np.uint64:
    """An ASCII word of at most nine letters as a number of its own; of more, most likely."""
    return np.uint64(reduce(lambda number, letter: number * int(BASE) + ord(letter), word, 0) % 2**64)


def _ascii_letters(points: NDArray[np.uint32]) -> Flags:
    return np.asarray(((points | 32) >= ord("a")) & ((points | 32) <= ord("z")))
