"""Trees of HTML and XML, for which no file or address is fetched, and what a page shows."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import unescape
from typing import Any

from lxml import etree

from discobench.corpus.formats.base import Refused


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


PARAGRAPHS = _tags("article blockquote div dl h1 h2 h3 h4 h5 h6 ol p pre section table ul")
BLOCKS = PARAGRAPHS | _tags(
    "address aside body br caption center dd dt fieldset figcaption figure footer form header hr li main td th tr"
)
EMPTY = _tags("br hr")
HIDDEN = _tags("head iframe math nav noscript object rp rt script style svg template title")
BLANKS = re.compile(r"[ \t\r\n\f]+")
ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z][A-Za-z0-9]*;")
XML: Mapping[str, Any] = {"encoding": "utf-8", "no_network": True, "load_dtd": False}
XHTML = re.compile(r"\s*<\?xml|<html[^>]+xmlns=", re.IGNORECASE)


def xml_tree(text: str) -> etree._Element:
    """The tree of well-formed XML; entities that it declares, within the parser's bounds, and HTML's are known.

    Others stay in the tree as they are. Raises XMLSyntaxError.
    """
    data = ENTITY.sub(lambda found: unescape(found[0]), text).encode("utf-8")
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities="internal", **XML))
    except etree.XMLSyntaxError:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, **XML))


def page_tree(text: str) -> etree._Element | None:
    """The tree of a page, as XML where it is that, else as HTML, well formed or not; None where it is empty.

    Raises Refused where the parser gives up, which it does on elements two thousand deep.
    """
    if XHTML.search(text[:2000]):
        with suppress(etree.XMLSyntaxError):
            return xml_tree(text)
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    try:
        tree = etree.fromstring(text.replace("\0", "").encode("utf-8"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        tree = None
    if any(error.level == etree.ErrorLevels.FATAL for error in parser.error_log):
        raise Refused("not HTML")
    return tree


def local(element: etree._Element) -> str:
    """A tag without its namespace, in lower case; nothing for comments, instructions and entities."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def first_text(root: etree._Element, *names: str) -> str | None:
    """The text of the first element with one of some names, blanks made one."""
    found = (" ".join("".join(e.itertext()).split()) for e in root.iter() if local(e) in names)
    return next(filter(None, found), None)


def seen(root: etree._Element) -> str:
    """The text of a page: blocks on lines of their own, paragraphs with an empty line between."""
    lines = [line.strip(" \t") for line in "".join(_pieces(root)).split("\n")]
    kept = (line for line, before in zip(lines, ["", *lines], strict=False) if line or before)
    return "\n".join(kept).strip("\n")


def _pieces(root: etree._Element) -> Iterator[str]:
    """Depth first without recursion: markup may be nested deeper than Python's stack."""
    hidden = preformatted = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        name, opens = local(element), event == "start"
        if event in ("start", "end"):
            hidden += (1 if opens else -1) * (name in HIDDEN)
            preformatted += (1 if opens else -1) * (name == "pre")
            if name in BLOCKS and not hidden and (opens or name not in EMPTY):
                yield "\n\n" if name in PARAGRAPHS else "\n"
        text = element.text if opens else None if element is root else element.tail
        if text and not hidden:
            yield text.replace("\r\n", "\n") if preformatted else BLANKS.sub(" ", text)
