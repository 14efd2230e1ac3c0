"""Sentences found line by line with patterns: what ``discobench.corpus.sentences`` says, written another way."""

import re
from collections.abc import Iterator
from itertools import pairwise

CLOSERS = "”’」』）)】》〉\\]"


def plain_sentences(text: str, language: str, abbreviations: frozenset[str]) -> list[str]:
    """The sentences of a text, in their order."""
    find = chinese if language == "zh" else english
    found: list[str] = []
    for line in text.split("\n"):
        edges = [0, *find(line, abbreviations), len(line)]
        found += [line[start:end].strip() for start, end in pairwise(edges)]
    return [sentence for sentence in found if sentence]


def chinese(line: str, _: frozenset[str]) -> Iterator[int]:
    """Where sentences of a line end: behind stops and what closes, but for dots alone and before a comma."""
    for mark in "\"'":
        line = re.sub(f"{mark}[^{mark}]*{mark}", lambda pair: f"“{pair[0][1:-1]}”", line)
    for run in re.finditer(f"[。！？!?…][。！？!?…{CLOSERS}]*", line):
        if run[0].strip("…") and not line[run.end() :].startswith(tuple("，、；,;")):
            yield run.end()


def english(line: str, abbreviations: frozenset[str]) -> Iterator[int]:
    """The same where a capital or digit follows, unless the dot is a short word's; several dots end nothing."""
    for run in re.finditer(f"[.!?…][.!?…\"'{CLOSERS}]*", line):
        follows = re.match(r"\s+[“‘\"'(\[_—]*+(\w)", line[run.end() :])
        if follows is None or follows[1] in "abcdefghijklmnopqrstuvwxyz":
            continue
        words = re.split("[^A-Za-z]", line[: run.start()])
        short = words[-1] in abbreviations or re.fullmatch("[A-HJ-Za-z]", words[-1])
        if run[0].strip(".…") or (run[0] == "." and not short):
            yield run.end()
