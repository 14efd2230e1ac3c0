"""Raw files to raw documents, one generator per format behind ``read``.

A document is the whole file, a chapter or a line, as the genre's ``document`` key says; one record
of JSON Lines is one document whatever the key. Positions are bytes of the (unpacked) file.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from discobench.corpus.encodings import Decoded, decode
from discobench.corpus.rules import Rules
from discobench.corpus.sources import Source
from discobench.schema import SURROGATE

Line = tuple[str, int, int]
BROKEN = (OSError, EOFError, zlib.error)


@dataclass(frozen=True, slots=True)
class Raw:
    """A document as it lies in its file, or, with a ``reason``, what could not be read.

    ``number`` counts documents of the file from 0 (chapters: 0 is what stands before the first
    heading; lines: the line's number from 1). Lines of ``text`` end with ``\\n`` only.
    """

    number: int
    text: str
    byte_start: int
    byte_end: int
    title: str | None = None
    author: str | None = None
    work: str | None = None
    reason: str | None = None


def read(folder: Path, source: Source, document: str, language: str, rules: Rules) -> Iterator[Raw]:
    """The raw documents of one file, in its order; faults of the file come as reasons."""
    path = folder / source.member
    opener: Callable[[Path], IO[bytes]] = gzip.open if source.suffix.endswith(".gz") else open_bytes  # type: ignore[assignment]
    if source.suffix.startswith(".jsonl"):
        yield from _json_lines(path, opener)
    elif source.suffix.startswith(".txt"):
        yield from _text(path, opener, document, language, rules)
    else:
        yield _fault(f"unknown format {source.suffix or 'without suffix'}", source.bytes)


def open_bytes(path: Path) -> IO[bytes]:
    """A file's bytes as they are."""
    return path.open("rb")


def _fault(reason: str, end: int, number: int = 0, start: int = 0) -> Raw:
    return Raw(number, "", start, end, reason=reason)


def _text(path: Path, opener: Callable[[Path], IO[bytes]], document: str, language: str, rules: Rules) -> Iterator[Raw]:
    try:
        with opener(path) as stream:
            data = stream.read()
    except BROKEN:
        yield _fault("broken archive", path.stat().st_size)
        return
    decoded = decode(data, language)
    if decoded is None:
        yield _fault("undecodable", len(data))
    elif not decoded.text.strip():
        yield _fault("empty", len(data))
    else:
        yield from _documents(decoded, document, rules)


def _documents(decoded: Decoded, document: str, rules: Rules) -> Iterator[Raw]:
    lines = list(decoded.lines())
    if document == "file":
        yield _joined(0, lines)
    elif document == "chapter":
        yield from _chapters(lines, rules)
    else:
        numbered = enumerate(lines, start=1)
        yield from (_joined(number, [line]) for number, line in numbered if line[0].strip())


def _chapters(lines: list[Line], rules: Rules) -> Iterator[Raw]:
    headings = [n for n, (text, _, _) in enumerate(lines) if rules.is_heading(text)]
    front = lines[: headings[0]] if headings else lines
    if any(text.strip() for text, _, _ in front):
        yield _joined(0, front)
    for number, (start, end) in enumerate(pairwise([*headings, len(lines)]), start=1):
        yield _joined(number, lines[start:end], titled=True)


def _joined(number: int, lines: list[Line], titled: bool = False) -> Raw:
    """One document of some lines; the first is its title where ``titled``, not its text."""
    text = "\n".join(text for text, _, _ in lines[titled:])
    title = lines[0][0].strip() if titled else None
    reason = None if text.strip() else "empty"
    return Raw(number, text, lines[0][1], lines[-1][2], title=title, reason=reason)


def _json_lines(path: Path, opener: Callable[[Path], IO[bytes]]) -> Iterator[Raw]:
    number = start = 0
    try:
        with opener(path) as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield _record(number, line, start)
                start += len(line)
    except BROKEN:
        yield _fault("broken archive", start, number + 1, start)
    if not start:
        yield _fault("empty", 0)


def _record(number: int, line: bytes, start: int) -> Raw:
    end = start + len(line)
    try:
        value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError:
        return _fault("undecodable", end, number, start)
    except (ValueError, RecursionError):
        return _fault("not JSON", end, number, start)
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        return _fault("no text field", end, number, start)
    text, facts = value["text"].replace("\r\n", "\n").replace("\r", "\n"), _facts(value)
    if any(SURROGATE.search(part or "") for part in (text, *facts.values())):
        return _fault("undecodable", end, number, start)
    return Raw(number, text, start, end, reason=None if text.strip() else "empty", **facts)


def _facts(value: Mapping[str, Any]) -> dict[str, str | None]:
    return {key: str(value[key]) if value.get(key) is not None else None for key in ("title", "author", "work")}
