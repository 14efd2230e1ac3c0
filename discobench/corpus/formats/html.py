"""HTML pages of any encoding, well formed or not."""

from collections.abc import Iterator

from discobench.corpus.encodings import decode
from discobench.corpus.formats.base import Blob, Manner, Raw, Refused
from discobench.corpus.formats.markup import first_text, page_tree, seen
from discobench.corpus.formats.text import parsed


def read_html(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The documents of a page; where they have no title of their own it is the page's."""
    data = blob.read()
    found = decode(data, manner.language)
    if found is None:
        raise Refused("undecodable")
    tree = page_tree(found.text)
    if tree is None:
        raise Refused("empty")
    yield from parsed(seen(tree), len(data), manner, title=first_text(tree, "title"))
