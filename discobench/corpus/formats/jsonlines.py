"""JSON Lines: one record, one document, whatever a document is elsewhere in the genre."""

import codecs
import json
from collections.abc import Iterator

import orjson

from discobench.corpus.formats.base import Blob, Manner, Raw, at_byte
from discobench.corpus.formats.lines import byte_lines
from discobench.corpus.formats.records import documents_of, whole


def read_jsonl(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The records that start in the wanted part of the file."""
    for line, start, end in byte_lines(blob, manner.limits.document):
        if line is None:
            yield Raw(at_byte(start), "", start, end, reason="too large")
        elif line.strip():
            yield from _record(line if start else line.removeprefix(codecs.BOM_UTF8), manner, start, end)


def _record(line: bytes, manner: Manner, start: int, end: int) -> Iterator[Raw]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        yield from _leniently(line, manner, start, end)
    else:
        yield from documents_of(value, manner, at_byte(start), start, end)


def _leniently(line: bytes, manner: Manner, start: int, end: int) -> Iterator[Raw]:
    """The standard library also takes NaN, and halves of surrogate pairs where no text is."""
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        yield Raw(at_byte(start), "", start, end, reason="undecodable")
    except (ValueError, RecursionError):
        yield Raw(at_byte(start), "", start, end, reason="not JSON")
    else:
        yield from whole(documents_of(value, manner, at_byte(start), start, end))
