"""EPUB books: the pages of the spine in their order."""

import codecs
import posixpath
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from urllib.parse import unquote, urldefrag

from lxml import etree

from discobench.corpus.encodings import decode
from discobench.corpus.formats.archives import zip_members
from discobench.corpus.formats.base import WHOLE, Blob, Manner, Raw, Refused
from discobench.corpus.formats.blobs import seekable
from discobench.corpus.formats.markup import first_text, local, page_tree, seen, xml_tree
from discobench.corpus.formats.text import parsed

CONTAINER = "META-INF/container.xml"
Files = dict[str, bytes]


def read_epub(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """One document of all pages, or where a document is a chapter, one of each page."""
    with seekable(blob) as whole, whole.stream(0) as stream:
        yield from _documents(whole, stream.seek(0, 2), manner)


def _documents(blob: Blob, size: int, manner: Manner) -> Iterator[Raw]:
    package, folder = _package(lambda path: _files(blob, size, manner, {path})[path])
    book, author = first_text(package, "title"), first_text(package, "creator")
    pages = _spine(package, folder)
    files = _files(blob, size, manner, set(pages))
    texts: list[str] = []
    for number, path in enumerate(pages):
        text, title, reason = _page(files.get(path), manner)
        alone = manner.document == "chapter"
        if reason or alone:
            place = f"{number:06d}" if alone else f"page/{number:06d}"
            yield Raw(place, text, 0, size, title, author, page=path, reason=reason)
        else:
            texts.append(text)
    if texts:
        yield from parsed("\n\n".join(texts), size, manner, book, author)


def _files(blob: Blob, size: int, manner: Manner, wanted: AbstractSet[str]) -> Files:
    """The wanted files of a book, each by its path, as far as they can be read."""
    files: Files = {}
    for member in zip_members(blob, size, manner.language, manner.limits):
        if member.name in wanted and member.blob is not None:
            with member.blob.stream(0) as stream:
                files[member.name] = stream.read(WHOLE)
        if sum(map(len, files.values())) >= WHOLE:
            raise Refused("too large")
    return files


def _package(file: Callable[[str], bytes]) -> tuple[etree._Element, str]:
    """The package document, which says what the book consists of, and the folder that it lies in."""
    try:
        container = xml_tree(_text(file(CONTAINER)))
        path = next(str(e.get("full-path")) for e in container.iter() if local(e) == "rootfile")
        return xml_tree(_text(file(path))), posixpath.dirname(path)
    except (KeyError, StopIteration, UnicodeDecodeError, etree.XMLSyntaxError) as error:
        raise Refused("no spine") from error


def _text(data: bytes) -> str:
    """What says how a book is built is UTF-8, or UTF-16 with a mark."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig")


def _spine(package: etree._Element, folder: str) -> list[str]:
    items = {e.get("id"): e.get("href") for e in package.iter() if local(e) == "item"}
    order = [items.get(e.get("idref")) for e in package.iter() if local(e) == "itemref"]
    if not order:
        raise Refused("no spine")
    paths = (unquote(urldefrag(href or "missing").url) for href in order)
    return [posixpath.normpath(posixpath.join(folder, path)) for path in paths]


def _page(data: bytes | None, manner: Manner) -> tuple[str, str | None, str | None]:
    """A page's text, its first heading, and why there is none."""
    if data is None:
        return "", None, "missing page"
    found = decode(data, manner.language)
    if found is None:
        return "", None, "undecodable"
    try:
        tree = page_tree(found.text)
    except Refused as error:
        return "", None, str(error)
    text = seen(tree) if tree is not None else ""
    title = first_text(tree, "h1", "h2", "h3") if tree is not None else None
    return text, title, None if text.strip() else "empty"
