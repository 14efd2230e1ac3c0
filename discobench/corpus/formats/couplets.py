"""Antithetical couplets: one document each, upper and lower line with an ideographic space between.

Known are ``upper<TAB>lower``, ``upper<TAB>=><TAB>lower`` with blanks between the characters or not, and
lines that open with 上联 and 下联 (and 横批, which goes with the couplet above it). Lines that are no part
of a couplet are dropped as such.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from discobench.corpus.formats.base import Blob, Manner, Raw, at_byte
from discobench.corpus.formats.lines import Line
from discobench.corpus.formats.text import lines_of

JOINT = "\u3000"
LABEL = re.compile(r"\s*【?(上联|上聯|下联|下聯|横批|橫批|横联|橫聯)】?\s*[:：]\s*(.*?)\s*")
PAIR = re.compile(r"([^\t]+)\t(?:=>\t)?([^\t]+)")
SPACED = re.compile(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])")


def read_couplets(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The couplets of a text of any encoding."""
    yield from couplets(lines_of(blob, replace(manner, document="line")))


def couplets(lines: Iterable[Line]) -> Iterator[Raw]:
    """Couplets in their order; half of one, and any other line, comes with a reason."""
    held: list[Line] = []
    for line in lines:
        role = _role(line[0])
        if held and not _goes_on(held, role):
            yield _couplet(held)
            held = []
        if role in ("上", "下", "横"):
            held.append(line)
        elif line[0] is None or line[0].strip():
            yield _pair(line)
    if held:
        yield _couplet(held)


def _role(text: str | None) -> str | None:
    """上, 下 or 横 for a line with a label; blank for an empty line; None for any other."""
    if text is not None and not text.strip():
        return ""
    found = LABEL.fullmatch(text or "")
    return found[1][0].replace("橫", "横") if found else None


def _goes_on(held: list[Line], role: str | None) -> bool:
    """Empty lines may stand between the parts."""
    order = ("上", "下", "横")
    return role == "" or (role in order and order.index(role) == order.index(str(_role(held[-1][0]))) + 1)


def _couplet(held: list[Line]) -> Raw:
    parts = [found[2] for text, _, _ in held if (found := LABEL.fullmatch(text or ""))]
    start, end = held[0][1], held[-1][2]
    whole = len(held) > 1 and _role(held[0][0]) == "上" and all(parts)
    return Raw(at_byte(start), JOINT.join(parts), start, end, reason=None if whole else "half a couplet")


def _pair(line: Line) -> Raw:
    text, start, end = line
    found = PAIR.fullmatch((text or "").strip())
    if found is None:
        return Raw(at_byte(start), "", start, end, reason="no couplet" if text is not None else "undecodable")
    sides = [SPACED.sub("", side.strip()) for side in found.groups()]
    return Raw(at_byte(start), JOINT.join(sides), start, end)
