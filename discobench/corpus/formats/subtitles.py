"""Subtitles (SRT, ASS, SSA, WebVTT): what is said, in the order of time, cue by cue.

Times and styles are the format's; what else is no speech (sounds, credits, fonts) is the business of the
rules' ``subtitles``. Of bilingual files the lines in the genre's language are taken.
"""

import re
from collections.abc import Iterator
from html import unescape

import pysubs2

from discobench.corpus.encodings import decode
from discobench.corpus.formats.base import Blob, Manner, Raw, Refused
from discobench.corpus.formats.lines import unix
from discobench.corpus.formats.text import parsed

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
LATIN = re.compile("[A-Za-z]")
BILINGUAL = 0.5
"""From this share of cues with lines in both scripts on, a file is bilingual."""

Cue = list[str]


def read_subtitles(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The documents of one file: all of it, or where a document is a block or line, each cue's lines."""
    data = blob.read()
    found = decode(data, manner.language)
    if found is None:
        raise Refused("undecodable")
    cues = [cue for cue in _cues(found.text, manner) if cue]
    if _bilingual(cues):
        cues = [own for cue in cues if (own := [line for line in cue if _own(line, manner.language)])]
    joint = "\n\n" if manner.document == "block" else "\n"
    yield from parsed(joint.join("\n".join(cue) for cue in cues), len(data), manner)


def _cues(text: str, manner: Manner) -> Iterator[Cue]:
    try:
        file = pysubs2.SSAFile.from_string(unix(text))
    except (pysubs2.exceptions.Pysubs2Error, ValueError, LookupError, OverflowError) as error:
        raise Refused("not subtitles") from error
    file.sort()
    rules = manner.rules.subtitles
    for event in file:
        if not event.is_comment and not event.is_drawing:
            said = unescape(event.plaintext) if file.format == "vtt" else event.plaintext
            yield [line for line in map(rules.speech, said.split("\n")) if line]


def _own(line: str, language: str) -> bool:
    """Whether a line has the language's script; an English line has no Chinese character."""
    return (HAN.search(line) is not None) == (language == "zh")


def _bilingual(cues: list[Cue]) -> bool:
    """Whether most cues have a line in each script."""
    both = sum(
        any(map(HAN.search, cue)) and any(LATIN.search(line) and not HAN.search(line) for line in cue) for cue in cues
    )
    return both >= BILINGUAL * len(cues) > 0
