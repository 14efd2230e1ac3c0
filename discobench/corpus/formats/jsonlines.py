"""JSON Lines: one record, one document, whatever a document is elsewhere in the genre."""

import codecs
import json
from collections.abc import Iterator
from typing import Any

import orjson

from discobench.corpus.formats.base import Blob, Manner, Raw, at_byte
from discobench.corpus.formats.lines import byte_lines
from discobench.corpus.formats.records import documents_of


def read_jsonl(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The records that start in the wanted part of the file."""
    for line, start, end in byte_lines(blob, manner.limits.document):
        if line is None:
            yield Raw(at_byte(start), "", start, end, reason="too large")
        elif line.strip():
            yield from _record(line if start else line.removeprefix(codecs.BOM_UTF8), manner, start, end)


def _record(line: bytes, manner: Manner, start: int, end: int) -> Iterator[Raw]:
    try:
        value = loads(line)
    except UnicodeDecodeError:
        yield Raw(at_byte(start), "", start, end, reason="undecodable")
    except (ValueError, RecursionError):
        yield Raw(at_byte(start), "", start, end, reason="not JSON")
    else:
        yield from documents_of(value, manner, at_byte(start), start, end)


def loads(data: bytes) -> Any:
    """A JSON value; the standard library also takes NaN and halves of surrogate pairs."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data.decode("utf-8"))
