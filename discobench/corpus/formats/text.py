"""Plain text, and how any format's text is cut into documents: file, chapter, block or line."""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO

from discobench.corpus.encodings import damaged, decode, detect
from discobench.corpus.formats.base import WHOLE, Blob, Manner, Raw, Refused, at_byte
from discobench.corpus.formats.lines import BLOCK, Line, text_lines, unix
from discobench.corpus.rules import FACTS, Rules

HEAD = 100
"""Lines of a text among which its own text begins, where something stands above it."""


def read_text(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """A plain text of any encoding and any size; where a line is no document, title and author may stand above it."""
    if manner.document == "line":
        yield from documents(lines_of(blob, manner), manner)
        return
    head = _Head(manner.rules)
    for raw in documents(head.watched(lines_of(blob, manner)), manner):
        yield replace(raw, title=raw.title or head.said.get("title"), author=head.said.get("author"))


def lines_of(blob: Blob, manner: Manner) -> Iterator[Line]:
    """Lines of a text whose encoding is known, or found by decoding all of it; raises Refused.

    Of a damaged UTF-8 text only the lines with the damage are lost, unless the document is the file.
    """
    longest = manner.limits.document
    if blob.encoding is not None:
        marked = blob.encoding == "utf-8-sig"
        yield from text_lines(blob, blob.encoding.removesuffix("-sig"), len(BOM_UTF8) * marked, longest)
        return
    most = longest if manner.document == "file" else WHOLE
    with blob.stream(0) as stream:
        data = stream.read(most + 1)
    if len(data) > most and manner.document != "file":
        encoding, start = encoding_of(blob, manner.language)
        yield from text_lines(blob, encoding, start, longest)
    else:
        yield from _small(data, manner, longest)


def _small(data: bytes, manner: Manner, longest: int) -> Iterator[Line]:
    if manner.document == "file" and len(data) > longest:
        raise Refused("too large")
    found = decode(data, manner.language)
    if found is None and (manner.document == "file" or not damaged(data)):
        raise Refused("undecodable")
    if found is not None and not found.text.strip():
        raise Refused("empty")
    if found is not None and manner.document == "file":
        yield unix(found.text).removesuffix("\n"), 0, len(data)
        return
    held = Blob(lambda at: BytesIO(data[at:]))
    encoding, start = (found.encoding, found.start) if found else ("utf-8", len(BOM_UTF8) * data.startswith(BOM_UTF8))
    yield from text_lines(held, encoding, start, longest)


def encoding_of(blob: Blob, language: str) -> tuple[str, int]:
    """The encoding of a text and the bytes of its mark; raises Refused when none fits all of it."""
    found = detect(_Blocks(blob), language)
    if found is None:
        raise Refused("undecodable")
    return found


class _Blocks:
    """The blocks of a blob, as often as they are asked for."""

    def __init__(self, blob: Blob) -> None:
        self.blob = blob

    def __iter__(self) -> Iterator[bytes]:
        with self.blob.stream(0) as stream:
            while block := stream.read(BLOCK):
                yield block


def documents(lines: Iterable[Line], manner: Manner) -> Iterator[Raw]:
    """Documents of a text's lines; all but those of one line are numbered from 0."""
    if manner.document == "line":
        yield from (_single(line, manner) for line in lines if line[0] is None or line[0].strip())
        return
    part = _Part(0, manner.limits.document)
    for line in lines:
        if part.ends_before(line[0], manner):
            yield from part.raw()
            part = _Part(part.number + 1, manner.limits.document, _heading(line[0], manner))
        part.add(line)
    yield from part.raw()


def parsed(text: str, size: int, manner: Manner, title: str | None = None, author: str | None = None) -> Iterator[Raw]:
    """Documents of a text taken out of ``size`` bytes of markup; each has the bytes of all."""
    if not text.strip():
        raise Refused("empty")
    for number, raw in enumerate(documents(_positioned(text), manner)):
        place = f"{number:06d}" if manner.document == "line" else raw.place
        yield replace(raw, place=place, byte_start=0, byte_end=size, title=raw.title or title, author=author)


def _positioned(text: str) -> Iterator[Line]:
    """Lines with where they stand in the text, by which documents are bounded."""
    position = 0
    for line in text.split("\n"):
        following = position + len(line) + 1
        yield line, position, following
        position = following


class _Head:
    """What the first lines of a text say of it; nothing, unless the work's own text begins among them."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.left = rules, HEAD
        self.said: dict[str, str] = {}
        self.heard: dict[str, str] = {}

    def watched(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The same lines."""
        for line in lines:
            if self.left > 0 and line[0] is not None:
                self._hear(line[0])
            yield line

    def _hear(self, text: str) -> None:
        """One line, or where the document is the file all of them."""
        for line in map(str.strip, text.split("\n", HEAD)[:HEAD]):
            self.left -= 1
            if self.rules.begin.fullmatch(line):
                self.said, self.left = self.heard, 0
                return
            for name in FACTS:
                if found := getattr(self.rules.facts, name).fullmatch(line):
                    self.heard.setdefault(name, next(filter(None, found.groups())))


def _single(line: Line, manner: Manner) -> Raw:
    text, start, end = line
    reason = fault(line, manner.limits.document) if text is None else None
    return Raw(at_byte(start), text or "", start, end, reason=reason)


def fault(line: Line, limit: int) -> str | None:
    """Why a line has no text; None where it has some."""
    text, start, end = line
    return None if text is not None else "too large" if end - start > limit else "undecodable"


def _heading(line: str | None, manner: Manner) -> bool:
    return manner.document == "chapter" and line is not None and _is_heading(line, manner.rules)


def _is_heading(line: str, rules: Rules) -> bool:
    return len(line) < 200 and rules.is_heading(line)


class _Part:
    """Lines of one document so far; one that grows too large is dropped, not kept."""

    def __init__(self, number: int, limit: int, titled: bool = False) -> None:
        self.number, self.limit, self.titled = number, limit, titled
        self.lines: list[str] = []
        self.start: int | None = None
        self.end = 0
        self.blank = False
        self.reason: str | None = None

    def ends_before(self, line: str | None, manner: Manner) -> bool:
        """Whether a line opens another document."""
        if manner.document == "block":
            return self.blank and (line is None or bool(line.strip()))
        return _heading(line, manner)

    def add(self, line: Line) -> None:
        """Go on with a line; only a document without fault is kept in memory."""
        text, start, self.end = line
        self.start = start if self.start is None else self.start
        self.blank = text is not None and not text.strip()
        if text is None or self.end - self.start > self.limit:
            self.reason, self.lines = self.reason or fault(line, self.limit) or "too large", []
        if self.reason is None and text is not None:
            self.lines.append(text)

    def raw(self) -> Iterator[Raw]:
        """The document, unless there is nothing before the first heading."""
        text = "\n".join(self.lines[self.titled :])
        title = self.lines[0].strip() if self.titled and self.lines else None
        empty = not text.strip() and self.reason is None
        if self.start is not None and (self.number or not empty):
            yield Raw(f"{self.number:06d}", text, self.start, self.end, title, reason="empty" if empty else self.reason)
