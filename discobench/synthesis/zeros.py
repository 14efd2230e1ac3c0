"""Zero pronouns recovered from translation: an English pronoun that no Chinese word renders (paper 3.1).

The method follows the usual recipe (Wang et al., 2016): a pronoun aligned to no pronoun is a candidate, the
alignment of its neighbours gives its place, a table its Chinese form, and a language model of Chinese the
place round the aligned one (``placing``). What the table says is data: resources/zpr/pronouns.yaml.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import pyarrow as pa

from discobench.files import fingerprint
from discobench.progress import told
from discobench.schema import empty
from discobench.sieve import Outcome
from discobench.synthesis.lines import Line
from discobench.synthesis.perplexity import fold_of
from discobench.synthesis.placing import Placed, Refiner, aligned_offset
from discobench.synthesis.pronouns import THIRD_PLURAL, Pronouns

CONTEXT = 3
REALISED = "realised in Chinese"
TRAIL = pa.schema(
    [
        ("id", pa.large_string()),
        ("english", pa.large_string()),
        ("english_index", pa.int64()),
        ("role", pa.large_string()),
        ("form", pa.large_string()),
        ("aligned_offset", pa.int64()),
        ("offset", pa.int64()),
        ("gain", pa.float64()),
        (
            "candidates",
            pa.list_(
                pa.struct({"offset": pa.int64(), "form": pa.large_string(), "gain": pa.float64(), "cost": pa.float64()})
            ),
        ),
    ]
)
"""What led to a zero: the English pronoun and its index among the words, the offset before and after refinement,
log10 p(line with the pronoun) - log10 p(line) at the offset chosen, and that of every candidate with what its
distance costs."""


class Missing(NamedTuple):
    """An English pronoun, by its index, that no Chinese one renders, and the offset that alignment gives."""

    place: int
    form: str
    role: str
    offset: int


@dataclass(frozen=True)
class Synthesis:
    """What recovers zeros: the table, the roles to recover, and per fold of works a model that never saw it.

    Without refiners the offsets are those of the alignment.
    """

    table: Pronouns
    roles: Sequence[str] = ("subject", "object", "possessive", "reflexive")
    refiners: Sequence[Refiner] = ()

    def refiner(self, work_id: str) -> Refiner | None:
        """The refiner for lines of a work."""
        return self.refiners[fold_of(work_id, len(self.refiners))] if self.refiners else None


def recover(
    lines: Sequence[Line], synthesis: Synthesis, counts: Counter[str], trail: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Records of schema ``zpr``, one a line, with ``CONTEXT`` lines of the episode on each side.

    ``counts`` receives how many pronouns were recovered and why others were not, ``trail`` rows of ``TRAIL``.
    """
    records = []
    for _, rows in groupby(told(lines, "recover", "lines", len(lines)), key=lambda line: line.pair["work_id"]):
        episode = list(rows)
        texts = [line.pair["zh"] for line in episode]
        for n, line in enumerate(episode):
            fields = {key: line.pair[key] for key in ("id", "source", "work_id", "language", "split")}
            around = {"before": texts[max(0, n - CONTEXT) : n], "after": texts[n + 1 : n + 1 + CONTEXT]}
            found = zeros_of(line, synthesis, counts, around["before"])
            trail += [{"id": fields["id"]} | row for row in found]
            zeros = [_zero(row) for row in found]
            records.append(empty("zpr") | fields | around | {"domain": "movie", "text": texts[n], "zeros": zeros})
    return records


def _zero(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"offset": row["offset"], "pronoun": row["form"], "role": row["role"], "in_inventory": True}


def thinned(records: Sequence[dict[str, Any]], share: float) -> Iterator[Outcome]:
    """All lines with a zero, and a ``share`` of those without, chosen by a hash of their ids.

    More than half of the zeros that people find in subtitles are not recovered: lines without any teach a model
    to leave out what it should find.
    """
    for record in records:
        drawn = int(fingerprint(record["id"]), 16) / 16**16
        yield record, None if record["zeros"] or drawn < share else "no pronoun was recovered"


def zeros_of(
    line: Line, synthesis: Synthesis, counts: Counter[str], before: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The zeros of one line as rows of ``TRAIL`` without ``id``, by offset; at one offset the first English one.

    ``before`` are the Chinese lines before it.
    """
    table, zeros = synthesis.table, dict[int, dict[str, Any]]()
    refiner = synthesis.refiner(line.pair["work_id"])
    for missing in unsaid(line, table, counts):
        form = _gendered(missing.form, before)
        placed: Placed | str = Placed(missing.offset, form, 0.0, ())
        if refiner:
            placed = refiner.place(line, form, missing.role, missing.offset, table)
        reason = placed if isinstance(placed, str) else _refused(line, placed, missing, zeros, synthesis)
        counts[reason or "recovered"] += 1
        if not reason and not isinstance(placed, str):
            zeros[placed.offset] = _row(line, missing, placed)
    return [zeros[offset] for offset in sorted(zeros)]


def _refused(line: Line, placed: Placed, missing: Missing, zeros: Mapping[int, Any], by: Synthesis) -> str | None:
    if missing.role not in by.roles:
        return "role not wanted"
    if _beside(line, placed.offset, by.table.realised[by.table.person(placed.form)]):
        return REALISED
    return "place taken" if placed.offset in zeros else None


def _row(line: Line, missing: Missing, placed: Placed) -> dict[str, Any]:
    candidates = [{"offset": c.offset, "form": c.form, "gain": c.gain, "cost": c.cost} for c in placed.candidates]
    return {
        "english": line.en_words[missing.place],
        "english_index": missing.place,
        "role": missing.role,
        "form": placed.form,
        "aligned_offset": missing.offset,
        "offset": placed.offset,
        "gain": placed.gain,
        "candidates": candidates,
    }


def _beside(line: Line, offset: int, words: frozenset[str]) -> bool:
    """Whether one of ``words`` touches ``offset``."""
    return any(offset in span and word in words for span, word in zip(line.zh, line.zh_words, strict=True))


def unsaid(line: Line, table: Pronouns, counts: Counter[str]) -> list[Missing]:
    """English pronouns that no Chinese word renders, in their order; ``counts`` receives why others are not.

    A link to a Chinese pronoun of the person renders one; other links of a pronoun are noise. Chinese pronouns
    without a link render those of their person that would stand nearest.
    """
    found: dict[str, list[Missing]] = {}
    said: set[int] = set()
    for place, word in enumerate(line.en_words):
        if word not in table.english:
            continue
        form, role = form_at(line, place, table)
        person = table.person(form)
        rendered = {zh for zh, en in line.links if en == place and line.zh_words[zh] in table.realised[person]}
        said |= rendered
        offset = aligned_offset(line, place, role, table)
        if reason := "aligned" if rendered else excluded(line, place, table):
            counts[reason] += 1
        elif offset is None:
            counts["no neighbour is aligned"] += 1
        else:
            found.setdefault(person, []).append(Missing(place, form, role, offset))
    left = {person: _unrendered(line, some, said, table.realised[person]) for person, some in found.items()}
    if rendered_after_all := sum(map(len, found.values())) - sum(map(len, left.values())):
        counts[REALISED] += rendered_after_all
    return sorted(missing for some in left.values() for missing in some)


def _unrendered(line: Line, found: list[Missing], said: set[int], words: frozenset[str]) -> list[Missing]:
    """``found`` without those that Chinese pronouns not yet ``said`` render: the nearest pairs first."""
    free = [n for n, word in enumerate(line.zh_words) if word in words and n not in said]
    pairs = sorted((abs(n - _words_before(line, m.offset)), m.place, n) for m in found for n in free)
    rendered: dict[int, int] = {}
    for _, place, n in pairs:
        if place not in rendered and n not in rendered.values():
            rendered[place] = n
    return [missing for missing in found if missing.place not in rendered]


def _words_before(line: Line, offset: int) -> int:
    return sum(start < offset for start, _ in line.zh)


def excluded(line: Line, place: int, table: Pronouns) -> str | None:
    """Why the English pronoun at ``place`` refers to nobody: expletive or filler."""
    words = line.en_words
    if words[place] == "it" and _expletive(words[place + 1 : place + 7], table.expletive):
        return "expletive"
    linked = {en for _, en in line.links} - {place}
    return "filler" if any(_phrase_at(words, place, phrase, linked) for phrase in table.fillers) else None


def _expletive(after: Sequence[str], lists: Mapping[str, frozenset[str]]) -> bool:
    """Whether ``it`` before these words is one of weather, of time, or stands for a clause that follows."""
    if not after or after[0] not in lists["be"]:
        return bool(after) and after[0] in lists["verbs"]
    judged = (n for n, word in enumerate(after[:4]) if word in lists["judged"])
    return any(word in lists["weather"] for word in after[1:4]) or any(
        {"to", "that"} & {*after[n + 1 : n + 3]} for n in judged
    )


def _phrase_at(words: Sequence[str], place: int, phrase: Sequence[str], linked: set[int]) -> bool:
    """Whether a filler covers ``place`` of which Chinese says nothing: none of its other words is ``linked``."""
    size = len(phrase)
    starts = (s for s in range(max(0, place - size + 1), place + 1) if list(words[s : s + size]) == list(phrase))
    return any(not linked & {*range(start, start + size)} for start in starts)


def form_at(line: Line, place: int, table: Pronouns) -> tuple[str, str]:
    """The Chinese form and role of the pronoun at ``place``."""
    entry = table.english[line.en_words[place]]
    role, form = entry["role"], entry["form"]
    last = _before_mark(line, place)
    if role == "either":
        role = "object" if last else "subject"
    if "object" in entry and last:
        role, form = "object", entry["object"]
    following = line.en_words[place + 1 : place + 2]
    plural = form in ("你", "你的") and bool(set(following) & table.plural_you)
    return (form[0] + "们" + form[1:], role) if plural else (form, role)


def _before_mark(line: Line, place: int) -> bool:
    """Whether a mark or the end of the line follows the English word at ``place``."""
    end = line.en[place][1]
    following = line.pair["en"][end:].lstrip()[:1]
    return not following or not (following.isalnum() or following in "'’")


def _gendered(form: str, before: Sequence[str]) -> str:
    """they, them, their as what the nearest line before calls them: 他们, where none says."""
    if form[:2] not in THIRD_PLURAL:
        return form
    for text in reversed(before):
        if said := max(THIRD_PLURAL, key=text.rfind) if any(p in text for p in THIRD_PLURAL) else None:
            return said + form[2:]
    return form
