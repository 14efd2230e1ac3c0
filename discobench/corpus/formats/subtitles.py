"""Subtitles (SRT, ASS, SSA, WebVTT): what is said, in the order of time, cue by cue.

Times and styles are the format's; what else is no speech (sounds, credits, fonts) is the business of the
rules' ``subtitles``. Of bilingual files the lines in the genre's language are taken.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

import pysubs2

from discobench.corpus.encodings import decode
from discobench.corpus.formats.base import Blob, Manner, Raw, Refused
from discobench.corpus.formats.lines import unix
from discobench.corpus.formats.text import parsed

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
LATIN = re.compile("[A-Za-z]")
SUBSTATION = re.compile(r"\[Script Info\]|\[V4\+? Styles\]", re.IGNORECASE)
BILINGUAL = 0.5
"""From this share of times with lines in both scripts on, a file is bilingual."""


@dataclass(frozen=True, slots=True)
class Cue:
    """When something is said, in milliseconds, and its lines."""

    start: int
    end: int
    lines: list[str]


def read_subtitles(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The documents of one file: all of it, or where a document is a block or line, each cue's lines."""
    data = blob.read()
    found = decode(data, manner.language)
    if found is None:
        raise Refused("undecodable")
    text = unix(found.text)
    kind = _format(text)
    if before := _before(text) if kind == "srt" else "":
        yield Raw("head", before, 0, len(data), reason="no cue")
    cues = [cue for cue in _cues(text, kind, manner) if cue.lines]
    said = [cue.lines for cue in cues]
    if _bilingual(_together(cues)):
        said = [own for lines in said if (own := [line for line in lines if _own(line, manner.language)])]
    joint = "\n\n" if manner.document == "block" else "\n"
    yield from parsed(joint.join(map("\n".join, said)), len(data), manner)


def _cues(text: str, kind: str | None, manner: Manner) -> Iterator[Cue]:
    try:
        file = pysubs2.SSAFile.from_string(text, kind)
    except (pysubs2.exceptions.Pysubs2Error, ValueError, LookupError, OverflowError) as error:
        raise Refused("not subtitles") from error
    if not len(file) and file.format == "srt":
        raise Refused("not subtitles")
    file.sort()
    rules = manner.rules.subtitles
    for event in file:
        if not event.is_comment and not event.is_drawing:
            said = unescape(event.plaintext) if file.format == "vtt" else event.plaintext
            yield Cue(event.start, event.end, [line for line in map(rules.speech, said.split("\n")) if line])


def _format(text: str) -> str | None:
    """The format that the first line and the times say; pysubs2 also looks at what is said, which may be anything."""
    if text.lstrip().startswith("WEBVTT"):
        return "vtt"
    return "srt" if "-->" in text and not SUBSTATION.search(text) else None


def _before(text: str) -> str:
    """What stands above the number and the times of the first cue of SRT, which is no part of any."""
    *lines, _ = text.partition("-->")[0].split("\n")
    return "\n".join(lines[:-1] if lines and lines[-1].strip().isdecimal() else lines).strip()


def _together(cues: list[Cue]) -> list[list[str]]:
    """Lines that are shown with a first cue: translations may be cues of their own, or follow all the others."""
    shown: list[list[str]] = []
    first: Cue | None = None
    for cue in cues:
        if first is not None and _overlap(first, cue):
            shown[-1] = shown[-1] + cue.lines
        else:
            first = cue
            shown.append(cue.lines)
    return shown


def _overlap(one: Cue, other: Cue) -> bool:
    """Whether half of the shorter cue or more is shown with the other one."""
    shorter = min(one.end - one.start, other.end - other.start)
    return 2 * (min(one.end, other.end) - max(one.start, other.start)) >= shorter > 0


def _own(line: str, language: str) -> bool:
    """Whether a line has the language's script; an English line has no Chinese character."""
    return (HAN.search(line) is not None) == (language == "zh")


def _bilingual(shown: list[list[str]]) -> bool:
    """Whether most of the time there is a line in each script."""
    both = sum(
        any(map(HAN.search, lines)) and any(LATIN.search(line) and not HAN.search(line) for line in lines)
        for lines in shown
    )
    return both >= BILINGUAL * len(shown) > 0
