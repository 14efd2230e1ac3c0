"""XML of plays, poems and prose: TEI, the older markup of Shakespeare's plays, and plain XML of books.

Speeches come as ``SPEAKER: first line`` as in scripts, stage directions in brackets. Where a document is
a chapter it is a division (act, scene, chapter, poem) up to the next one.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from discobench.corpus.encodings import decode
from discobench.corpus.formats.base import Blob, Manner, Raw, Refused
from discobench.corpus.formats.markup import first_text, local, xml_tree
from discobench.corpus.formats.text import parsed

DIVISIONS = frozenset(
    ("div", "div1", "div2", "div3", "div4", "act", "scene", "prologue", "epilogue", "induct", "chapter", "poem")
)
HEADS = frozenset(("head", "title"))
SPEECHES = frozenset(("sp", "speech"))
STAGE = frozenset(("stage", "stagedir"))
LINES = frozenset(("p", "l", "line", "ab", "para", "item", "cell"))
PARTS = DIVISIONS | HEADS | SPEECHES | LINES
"""What stands on lines of its own; any other element may be a piece of a word."""
WHOLE = frozenset(("w", "s", "q", "quote", "said"))
"""Words and sentences; where nothing stands between two of them, a blank does in languages that write it."""
TOUCHING = re.compile("[A-Za-z0-9.,;:!?’”)][A-Za-z0-9]")
BREAKS = frozenset(("lb", "pb", "cb", "milestone"))
APART = frozenset(["teiheader", "fm", "personae", "castlist", "note", "fw", "pb", "facsimile"])

Line = tuple[str, str]
"""What a line is (division, head or text), and its text."""


def read_xml(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The documents of well-formed XML, for which nothing is fetched."""
    data = blob.read()
    found = decode(data, manner.language)
    if found is None:
        raise Refused("undecodable")
    try:
        root = xml_tree(found.text)
    except etree.XMLSyntaxError as error:
        raise Refused("not XML") from error
    if next(root.iter(etree.Entity), None) is not None:
        raise Refused("unknown entity")
    lines = list(_lines(root))
    title, author = first_text(root, "title"), first_text(root, "author", "creator")
    if manner.document == "chapter":
        documents = _divisions(lines, len(data))
        yield from (replace(raw, title=raw.title or title, author=author) for raw in documents)
    else:
        text = "\n".join(f"\n{text}" if kind == "head" else text for kind, text in lines if kind != "division")
        yield from parsed(text.strip("\n"), len(data), manner, title=title, author=author)


def _divisions(lines: list[Line], size: int) -> Iterator[Raw]:
    """What stands before the first division, then each of them; its head is its title."""
    starts = [n for n, (kind, _) in enumerate(lines) if kind == "division"]
    for number, (start, end) in enumerate(zip([0, *starts], [*starts, len(lines)], strict=True)):
        part = [line for line in lines[start:end] if line[0] != "division"]
        titled = bool(number and part and part[0][0] == "head")
        text = "\n".join(text for _, text in part[titled:])
        if number or text.strip():
            reason = None if text.strip() else "empty"
            yield Raw(f"{number:06d}", text, 0, size, part[0][1] if titled else None, reason=reason)


def _lines(element: etree._Element) -> Iterator[Line]:
    """Lines in their order; the parser bounds how deep elements are nested."""
    name = local(element)
    if not name or name in APART:
        return
    if name in DIVISIONS:
        yield "division", ""
    if name in SPEECHES:
        yield from _speech(element)
    elif name in HEADS:
        yield "head", _text(element)
    elif name in STAGE or _own_text(element) or _is_line(element):
        if words := _text(element):  # what holds nothing but a page's end or a note is no line
            yield "text", words
    else:
        for child in element:
            yield from _lines(child)


def _speech(element: etree._Element) -> Iterator[Line]:
    names = [_text(child) for child in element if local(child) == "speaker"]
    prefix = f"{', '.join(names)}: " if names else ""
    for (kind, text), spoken in _said(element):
        yield kind, prefix + text if spoken else text
        prefix = "" if spoken else prefix


def _said(element: etree._Element) -> Iterator[tuple[Line, bool]]:
    """Lines of a speech, those too that no element is around, and whether they are spoken."""
    yield from _loose(element.text)
    for child in element:
        if local(child) != "speaker":
            yield from ((line, local(child) not in STAGE) for line in _lines(child))
        yield from _loose(child.tail)


def _loose(text: str | None) -> Iterator[tuple[Line, bool]]:
    if words := " ".join((text or "").split()):
        yield ("text", words), True


def _own_text(element: etree._Element) -> bool:
    return any((text or "").strip() for text in (element.text, *(child.tail for child in element)))


def _is_line(element: etree._Element) -> bool:
    """Whether an element is a line whose words are elements themselves."""
    return local(element) in LINES and not any(local(inside) in PARTS for inside in element.iterdescendants())


def _text(element: etree._Element) -> str:
    """An element's words in one line, without its notes."""
    text = " ".join(_words(element).split())
    return f"[{text.strip('[]')}]" if local(element) in STAGE else text


def _words(element: etree._Element) -> str:
    """The same with its blanks: those at the ends of an element may part two words."""
    words = element.text or ""
    for child in element:
        inner = _inner(child)
        apart = local(child) in WHOLE and TOUCHING.fullmatch(words[-1:] + inner[:1])
        words += f"{' ' if apart else ''}{inner}{child.tail or ''}"
    return words


def _inner(child: etree._Element) -> str:
    """What stands between two words is a blank, be it a line's end or a page's."""
    name = local(child)
    if name in BREAKS or not name or name in APART:
        return " " if name in BREAKS else ""
    if name in STAGE:
        return f" {_text(child)} "
    return f" {_words(child)} " if name in PARTS else _words(child)
