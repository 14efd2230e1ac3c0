"""Lines of a stream of bytes, with the range of bytes that each takes.

Only LF, CR LF and CR end a line: U+2028, U+0085, form feeds and the like are characters of it. None of
the encodings read here but UTF-16 and UTF-32 has bytes of LF or CR inside another character.
"""

import codecs
import re
from collections.abc import Iterator
from typing import IO

from discobench.corpus.encodings import WIDE
from discobench.corpus.formats.base import Blob

BLOCK = 1 << 18
"""Bytes that are looked at together: more would leave the caches."""
PIECE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)")
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")

Bytes = tuple[bytes | None, int, int]
"""A line without its end, or None when it is longer than allowed, and its half-open range with its end."""
Line = tuple[str | None, int, int]
"""The same decoded; None also where it cannot be decoded without loss."""


def byte_lines(blob: Blob, longest: int, start: int = 0) -> Iterator[Bytes]:
    """The lines that start in the part of ``blob`` that is wanted, from byte ``start`` on."""
    first, last = max(blob.part[0], start), blob.part[1]
    inside = first > start
    with blob.stream(first - inside) as stream:
        for line, begin, end in _lines(stream, first - inside, longest):
            if begin < first:
                continue
            if last is not None and begin >= last:
                return
            yield line, begin, end


def _lines(stream: IO[bytes], position: int, longest: int) -> Iterator[Bytes]:
    """All lines from where ``stream`` stands; what is longer is read past, not kept."""
    rest, lost = b"", 0
    while block := stream.read(max(BLOCK, len(rest))):
        lines, rest = _split(rest + block)
        for content, size in lines:
            yield (None if lost or len(content) > longest else content), position, position + lost + size
            position, lost = position + lost + size, 0
        if len(rest) > longest + 1:
            lost, rest = lost + len(rest) - 1, rest[-1:]  # the last byte may be half of CR LF
    if rest or lost:
        content = rest.rstrip(b"\r")
        yield (None if lost or len(content) > longest else content), position, position + lost + len(rest)


def _split(data: bytes) -> tuple[Iterator[tuple[bytes, int]], bytes]:
    """The lines that end in ``data``, each with its length including its end, and what follows the last."""
    returns = b"\r" in data
    if not returns or data.count(b"\r") == data.count(b"\r\n") == data.count(b"\n"):
        end = b"\r\n" if returns else b"\n"
        *pieces, rest = data.split(end)
        return ((piece, len(piece) + len(end)) for piece in pieces), rest
    cut = max(data.rfind(b"\n"), data.rfind(b"\r", 0, len(data) - 1)) + 1
    return ((piece.rstrip(b"\r\n"), len(piece)) for piece in PIECE.findall(data[:cut])), data[cut:]


def text_lines(blob: Blob, encoding: str, start: int, longest: int) -> Iterator[Line]:
    """Lines decoded one by one; ``start`` is behind a byte order mark."""
    if encoding in WIDE:
        yield from _wide_lines(blob, encoding, start, longest)
        return
    strict = encoding == "utf-8"  # its decoder takes no two spellings of one character
    for line, begin, end in byte_lines(blob, longest, start):
        yield decoded(line, encoding, strict), begin, end


def decoded(data: bytes | None, encoding: str, strict: bool = False) -> str | None:
    """The text of some bytes if encoding it again gives the same bytes."""
    try:
        text = data.decode(encoding) if data is not None else None
    except UnicodeDecodeError:
        return None
    return text if strict or text is None or text.encode(encoding) == data else None


def unix(text: str) -> str:
    """A text whose lines end with LF only."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _wide_lines(blob: Blob, encoding: str, position: int, longest: int) -> Iterator[Line]:
    """As ``_lines``, of characters instead of bytes."""
    held, lost = "", 0
    for text in _decoded(blob, encoding, position):
        pieces = LINE.findall(held + text)
        held = pieces.pop() if text and not pieces[-1].endswith("\n") else ""
        for piece in pieces:
            line = piece.rstrip("\r\n")
            too_long = lost or len(line.encode(encoding)) > longest
            end = position + lost + len(piece.encode(encoding))
            yield None if too_long else line, position, end
            position, lost = end, 0
        if len(held) > longest // 2 + 1:
            lost, held = lost + len(held[:-1].encode(encoding)), held[-1:]


def _decoded(blob: Blob, encoding: str, position: int) -> Iterator[str]:
    """A text piece by piece, and nothing once it ends."""
    decoder = codecs.getincrementaldecoder(encoding)()
    with blob.stream(position) as stream:
        while block := stream.read(BLOCK):
            if text := decoder.decode(block):
                yield text
    yield decoder.decode(b"", final=True)
