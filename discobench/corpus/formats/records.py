"""JSON values, and rows of tables, to documents: which fields hold the text, title, author and work.

The names are those that people use, those of the collections of Chinese poetry among them; a genre's
``fields`` come before them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from discobench.corpus.formats.base import Manner, Raw, Refused
from discobench.corpus.formats.lines import unix

FIELDS = {
    "text": ("text", "paragraphs", "content", "para", "contents", "body"),
    "title": ("title", "rhythmic", "chapter", "name"),
    "author": ("author",),
    "work": ("work",),
}
FACTS = ("title", "author", "work")
DEEPEST = 20
"""Lists in lists in which a text may lie."""


def documents_of(
    value: Any, manner: Manner, place: str, start: int, end: int, above: Mapping[str, str | None] | None = None
) -> Iterator[Raw]:
    """The documents of one value: an object with a text, or with objects that have one, and so on down.

    What an object lacks it has from the one around it.
    """
    if isinstance(value, str):
        value = {"text": value}
    found = text_of(value, manner) if isinstance(value, dict) else value
    facts = {**(above or {}), **(_facts(value, manner) if isinstance(value, dict) else {})}
    if isinstance(found, list) and place.count("/") == DEEPEST:
        yield Raw(place, "", start, end, reason="nested too deep")
    elif isinstance(found, list) and found:
        for number, item in enumerate(found):
            yield from documents_of(item, manner, f"{place}/{number:04d}", start, end, facts)
    elif isinstance(found, str) and len(found) > manner.limits.document:
        yield Raw(place, "", start, end, reason="too large")
    elif isinstance(found, str):
        yield document(found, facts, place, start, end)
    else:
        yield Raw(place, "", start, end, reason="no text field")


def text_of(value: Mapping[str, Any], manner: Manner) -> str | list[Any] | None:
    """The text of an object, lines joined; or the objects that hold its texts; or None."""
    for name in names("text", manner):
        found = value.get(name)
        if isinstance(found, str):
            return found
        if isinstance(found, list) and found:
            return "\n".join(found) if all(isinstance(item, str) for item in found) else found
    return None


def names(role: str, manner: Manner) -> tuple[str, ...]:
    """The names of fields that may hold a role; a genre's own excludes the usual ones."""
    own = manner.fields.get(role)
    return (own,) if own else FIELDS[role]


def columns_of(header: Sequence[str], manner: Manner) -> list[str]:
    """The columns of a table that hold a role; raises Refused when none is the text or two have one name."""
    wanted = {name for role in FIELDS for name in names(role, manner)}
    found = [name for name in header if name in wanted]
    if not set(found) & set(names("text", manner)):
        raise Refused("no text field")
    if len(set(found)) < len(found):
        raise Refused("two fields of one name")
    return found


def document(text: str, facts: Mapping[str, str | None], place: str, start: int, end: int) -> Raw:
    """A document with its facts."""
    return Raw(place, unix(text), start, end, reason=None if text.strip() else "empty", **facts)


def whole(documents: Iterable[Raw]) -> Iterator[Raw]:
    """Documents as they are; half of a surrogate pair, which only lenient JSON lets through, is no text."""
    for raw in documents:
        if all(map(_is_text, (raw.text, raw.title, raw.author, raw.work))):
            yield raw
        else:
            yield Raw(raw.place, "", raw.byte_start, raw.byte_end, reason="undecodable")


def _is_text(value: str | None) -> bool:
    try:
        return value is None or value.encode("utf-8") is not None
    except UnicodeEncodeError:
        return False


def _facts(value: Mapping[str, Any], manner: Manner) -> dict[str, str]:
    facts = {}
    for role in FACTS:
        given = (value[name] for name in names(role, manner) if isinstance(value.get(name), str | int))
        for first in given:
            facts[role] = str(first)
            break
    return facts
