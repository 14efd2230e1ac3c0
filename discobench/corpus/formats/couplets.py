"""Antithetical couplets: one document each, upper and lower line with an ideographic space between.

Known are ``upper<TAB>lower``, ``upper<TAB>=><TAB>lower`` with blanks between the characters or not, and
lines that open with 上联 and 下联 (and 横批, which goes with the couplet above it), or one that has both. Lines
that are no part of a couplet are dropped as such.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from discobench.corpus.formats.base import Blob, Manner, Raw, at_byte
from discobench.corpus.formats.lines import Line
from discobench.corpus.formats.text import lines_of

JOINT = "\u3000"
LABEL = re.compile(r"【?(上联|上聯|下联|下聯|横批|橫批|横联|橫聯)】?\s*[:：]")
ORDER = "上下横"
PAIR = re.compile(r"([^\t]+)\t(?:=>\t)?([^\t]+)")
SPACED = re.compile(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])")


def read_couplets(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The couplets of a text of any encoding."""
    yield from couplets(lines_of(blob, replace(manner, document="line")))


def couplets(lines: Iterable[Line]) -> Iterator[Raw]:
    """Couplets in their order; half of one, and any other line, comes with a reason."""
    held: list[Line] = []
    for line in lines:
        parts = _parts(line[0])
        if line[0] is not None and not line[0].strip():
            continue  # empty lines may stand between the parts
        if held and not _goes_on(held, parts):
            yield _couplet(held)
            held = []
        if parts:
            held.append(line)
        else:
            yield _pair(line)
    if held:
        yield _couplet(held)


def _parts(text: str | None) -> list[tuple[str, str]]:
    """What a line that opens with a label has behind each of its labels: 上, 下 or 横, and the words."""
    before, *pieces = LABEL.split(text or "")
    if before.strip():
        return []
    labels = (label[0].replace("橫", "横") for label in pieces[::2])
    *earlier, last = pieces[1::2] or [""]
    words = [*(piece.strip().rstrip("；;，,") for piece in earlier), last.strip()]
    return list(zip(labels, words, strict=False))


def _goes_on(held: list[Line], parts: list[tuple[str, str]]) -> bool:
    last = _parts(held[-1][0])[-1][0]
    return bool(parts) and ORDER.index(parts[0][0]) == ORDER.index(last) + 1


def _couplet(held: list[Line]) -> Raw:
    parts = [part for text, _, _ in held for part in _parts(text)]
    sides = [words for _, words in parts]
    start, end = held[0][1], held[-1][2]
    whole = "".join(label for label, _ in parts) in ("上下", "上下横") and all(sides)
    return Raw(at_byte(start), JOINT.join(sides), start, end, reason=None if whole else "half a couplet")


def _pair(line: Line) -> Raw:
    text, start, end = line
    found = PAIR.fullmatch((text or "").strip())
    if found is None:
        return Raw(at_byte(start), "", start, end, reason="no couplet" if text is not None else "undecodable")
    sides = [SPACED.sub("", side.strip()) for side in found.groups()]
    return Raw(at_byte(start), JOINT.join(sides), start, end)
