"""What every format shares: what a reader is given, what it yields, and how it refuses."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from discobench.corpus.rules import Rules

MARKUP = 4
"""Markup, and encodings of four bytes a character, may take this many times the bytes of the text."""
WHOLE = 32 << 20
"""Formats that must be parsed as a whole, and text kept in memory, have at most this many bytes."""


class Refused(Exception):
    """The rest of a file is not read; the message is the reason that its dropped record gives."""


@dataclass(frozen=True, slots=True)
class Source:
    """One raw file, or a part of it: what starts in some of its bytes.

    ``path`` is inside the genre's folder, with ``/`` everywhere. A file that is ``divisible`` may be
    read in parts; ``encoding`` is known of texts that are. Facts come from the genre's manifest.
    """

    path: str
    bytes: int
    divisible: bool = False
    encoding: str | None = None
    part: tuple[int, int] | None = None
    title: str | None = None
    author: str | None = None
    work: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds in bytes; a file may unpack to ``max_ratio`` times its size and to ``max_unpacked_bytes``."""

    max_document_bytes: int
    max_unpacked_bytes: int
    max_ratio: int

    @property
    def document(self) -> int:
        """The most bytes of a file that one document takes."""
        return MARKUP * self.max_document_bytes


@dataclass(frozen=True, slots=True)
class Manner:
    """How a genre is read: what a document is (file, chapter, block or line), and where its fields are."""

    document: str
    language: str
    rules: Rules
    limits: Limits
    format: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raw:
    """A document as it lies in its file, or, with a ``reason``, what could not be read.

    ``place`` tells it from others of the file: chapters count from 0 (0 is what stands before the
    first heading), lines and records have the byte where they start, rows their number. Bytes are
    those of the unpacked file; formats that must be parsed give those of the whole. ``inner`` is the
    path inside an archive, ``page`` that of a part of a book. Lines of ``text`` end with ``\\n`` only.
    """

    place: str
    text: str
    byte_start: int
    byte_end: int
    title: str | None = None
    author: str | None = None
    work: str | None = None
    inner: str | None = None
    page: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Blob:
    """The unpacked bytes of a file or of a member of an archive.

    ``stream(at)`` gives a stream that stands at byte ``at``. Of a divided file only what starts in
    ``part`` is wanted; its ``encoding`` was found beforehand.
    """

    stream: Callable[[int], IO[bytes]]
    part: tuple[int, int | None] = (0, None)
    encoding: str | None = None

    def read(self, limit: int = WHOLE) -> bytes:
        """All bytes; raises Refused when there are more than ``limit``, or none."""
        with self.stream(0) as stream:
            data = stream.read(limit + 1)
        if len(data) > limit:
            raise Refused("too large")
        if not data:
            raise Refused("empty")
        return data


Reader = Callable[[Blob, Manner], Iterator[Raw]]


@dataclass(frozen=True, slots=True)
class Format:
    """A reader, the suffixes of its files, and whether parts of a file can be read alone."""

    read: Reader
    suffixes: tuple[str, ...] = ()
    divisible: bool = False
    lines: bool = False
    """Divisible only where a document is a line of known encoding."""


def at_byte(position: int) -> str:
    """The place of what starts at a byte, or of a row by its number; places sort as they stand."""
    return f"{position:012d}"


def rest(reason: str, start: int, end: int) -> Raw:
    """What of a file could not be read."""
    return Raw("rest", "", start, max(start, end), reason=reason)
