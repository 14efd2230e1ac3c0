"""The algebra of a text expansion instance: source + insertions + edits = target, code point for code point.

Insertions and edits are disjoint spans of the *target*, sorted by start. An insertion's text is
absent from the source. An edit says that ``target[start:end]`` is ``to`` where the source has
``from``: a comma or blank that goes with an insertion, an article, a capital. What no span covers
is the same in both.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from discobench.errors import DiscoError

Span = Mapping[str, Any]


def derive_source(target: str, insertions: Sequence[Span], edits: Sequence[Span]) -> str:
    """The source of ``target``: insertions left out, each edit's ``to`` replaced by its ``from``."""
    parts: list[str] = []
    place = 0
    for span in ordered(insertions, edits):
        parts += [target[place : span["start"]], span.get("from", "")]
        place = span["end"]
    return "".join(parts) + target[place:]


def reconstruct(record: Mapping[str, Any]) -> str:
    """Rebuild the target from ``source_text`` by putting insertions and edits in.

    Raises DiscoError when spans overlap or the source does not hold an edit's ``from``.
    """
    source, target = str(record["source_text"]), str(record["target"])
    parts: list[str] = []
    read = written = 0
    for span in ordered(record["insertions"], record["edits"]):
        same = span["start"] - written
        old, new = span.get("from", ""), span.get("to", target[span["start"] : span["end"]])
        if same < 0 or not source.startswith(old, read + same):
            raise DiscoError(
                f"record {record['id']}: the span at {span['start']} does not fit the source; rerun prune."
            )
        parts += [source[read : read + same], new]
        read += same + len(old)
        written = span["end"]
    return "".join(parts) + source[read:]


def ordered(insertions: Sequence[Span], edits: Sequence[Span]) -> list[Span]:
    """Insertions and edits by their place in the target."""
    return sorted([*insertions, *edits], key=lambda span: (span["start"], span["end"]))
