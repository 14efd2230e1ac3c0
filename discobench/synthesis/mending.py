"""What deletion leaves behind, mended: blanks, commas, a/an, and the capital of a sentence.

All functions give edits as ``expansion`` defines them: spans of the target, ``from`` what the
source has instead. Tokens are code point spans of the target.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Edit = dict[str, Any]
Span = tuple[int, int]
OPENING_QUOTES = frozenset('"\u201c\u2018')
STOPS = frozenset(".!?;:)]}”’") | {"--", "—"}
VOWEL_SOUND = re.compile(r"(?:[aeiou]|hour|honest|honou?r|heir)", re.IGNORECASE)
CONSONANT_SOUND = re.compile(
    r"uni(?!n|m)|unani|us[eau]|eu|ewe|one(?:ness)?\b|once\b|ut[eio]|utah|ur[ai]|ubi|ukr|uly", re.IGNORECASE
)
SPELT = re.compile(r"[A-Z](?:[A-Z]{0,2}\b|[A-Z]{1,2}s\b|\d|-(?=\w))")
"""An abbreviation or a letter, which is read by the names of its letters."""
VOWEL_NAMES = frozenset("AEFHILMNORSX")
VOWEL_NUMBER = re.compile(r"8|(?:11|18)(?=\D|(?:[,.]?\d{3})+(?:\D|$)|$)")


def article(word: str) -> str:
    """``a`` or ``an`` before ``word``, by the usual spellings of its first sound."""
    if word[:1].isdecimal():
        vowel = bool(VOWEL_NUMBER.match(word))
    elif SPELT.match(word):
        vowel = word[0] in VOWEL_NAMES
    else:
        vowel = bool(VOWEL_SOUND.match(word)) and not CONSONANT_SOUND.match(word)
    return "an" if vowel else "a"


def extra_commas(words: Sequence[str], gone: Sequence[bool], single: Sequence[bool]) -> set[int]:
    """Indices of commas that must go because what they set off is gone.

    ``gone`` marks deleted tokens, ``single`` those of deletions that name their one comma themselves.
    """
    extra: set[int] = set()
    for start, end in runs(gone):
        left, right = start - 1, end
        comma_left, comma_right = left >= 0 and words[left] == ",", right < len(words) and words[right] == ","
        closes = right >= len(words) or words[right] in STOPS or _closing_quote(words, right)
        pair = not all(single[start:end])
        between = comma_right and right + 1 < len(words) and gone[right + 1]
        if comma_left and (closes or (comma_right and pair)):
            extra.add(left)
        if between or (comma_right and pair and (comma_left or _opens(words, start))):
            extra.add(right)
    return extra


def _closing_quote(words: Sequence[str], place: int) -> bool:
    """Whether the straight quote at ``place`` closes: quotes open and close in turn."""
    return words[place] == '"' and list(words[:place]).count('"') % 2 == 1


def _opens(words: Sequence[str], start: int) -> bool:
    """Whether nothing but opening marks comes before token ``start``."""
    return all(not any(c.isalnum() for c in word) for word in words[:start])


def runs(flags: Sequence[bool]) -> list[Span]:
    """Maximal half-open runs of true flags."""
    edges = [n for n in range(len(flags) + 1) if (n < len(flags) and flags[n]) != (n > 0 and flags[n - 1])]
    return list(zip(edges[::2], edges[1::2], strict=True))


def blanks(target: str, tokens: Sequence[Span], kept: Sequence[int], insertions: Sequence[Span]) -> list[Edit]:
    """Edits that leave one blank, or none before a mark, where tokens between kept ones went."""
    edits: list[Edit] = []
    for left, right in zip([-1, *kept], [*kept, len(tokens)], strict=True):
        if right - left > 1:
            edits += _gap(target, tokens, left, right, insertions)
    return edits


def _gap(target: str, tokens: Sequence[Span], left: int, right: int, insertions: Sequence[Span]) -> list[Edit]:
    start = tokens[left][1] if left >= 0 else tokens[0][0]
    end = tokens[right][0] if right < len(tokens) else tokens[-1][1]
    pieces = _outside(start, end, insertions)
    wanted = _wanted(target, tokens, left, right)
    edits: list[Edit] = []
    for begin, stop in pieces:
        text = target[begin:stop]
        if text != wanted:
            edits.append({"start": begin, "end": stop, "from": wanted, "to": text})
        wanted = ""
    return edits


def _outside(start: int, end: int, insertions: Sequence[Span]) -> list[Span]:
    """The parts of ``start:end`` that no insertion covers; the first may be empty, so that it can hold a blank."""
    pieces: list[Span] = []
    place = start
    for begin, stop in insertions:
        if start <= begin and stop <= end:
            pieces.append((place, begin))
            place = stop
    pieces.append((place, end))
    return [pieces[0], *(piece for piece in pieces[1:] if piece[0] < piece[1])]


def _wanted(target: str, tokens: Sequence[Span], left: int, right: int) -> str:
    if left < 0 or right >= len(tokens):
        return ""
    opens = tokens[left][1] == tokens[left + 1][0] and not target[tokens[left][1] - 1].isalnum()
    closes = tokens[right - 1][1] == tokens[right][0] and not target[tokens[right][0]].isalnum()
    return "" if opens or closes else " "


def articles(target: str, tokens: Sequence[Span], kept: Sequence[int]) -> list[Edit]:
    """Edits of a/an where the word after it has changed and the article was right before."""
    edits = []
    for here, following in pairwise(kept):
        word = target[slice(*tokens[here])]
        if following == here + 1 or word.lower() not in ("a", "an"):
            continue
        was, now = (article(target[slice(*tokens[n])]) for n in (here + 1, following))
        if word.lower() == was != now:
            new = now.capitalize() if word[0].isupper() else now
            edits.append({"start": tokens[here][0], "end": tokens[here][1], "from": new, "to": word})
    return edits


def capitals(target: str, tokens: Sequence[Span], kept: Sequence[int]) -> list[Edit]:
    """Edits that hand on the capital of a deleted word that began the sentence or a quotation."""
    edits: list[Edit] = []
    words = [target[start:end] for start, end in tokens]
    for left, right in pairwise([-1, *kept]):
        begins = next((n for n in range(left + 1, right) if words[n][0].isalnum()), None)
        opened = _opens(words, begins) or words[begins - 1] in OPENING_QUOTES if begins else begins == 0
        if begins is None or not opened or not words[begins][0].isupper():
            continue
        following = right if words[right][0].isalnum() else None
        edits += [] if following is None else _upper(target, tokens[following][0])
    return edits


def _upper(target: str, place: int) -> list[Edit]:
    old, new = target[place], target[place].upper()
    return [] if old == new else [{"start": place, "end": place + 1, "from": new, "to": old}]
