"""SI from excerpts of a novel whose speakers are known by number: their names, and where they stand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.records import record_id
from discobench.sieve import Outcome
from discobench.tasks.formats._stretches import stretches

QUOTATION = re.compile("“([^”]*)")
Span = tuple[int, int]


class Names:
    """The names of every speaker, by which they are found in a text, whatever their case; the longest one counts.

    Names of one character are left out where there are longer ones: they are found inside other words.
    """

    def __init__(self, names: Mapping[str, Sequence[str]], edge: str = "") -> None:
        self.names = {who: [n for n in given if len(n) > 1] or list(given) for who, given in names.items()}
        self.owners = {name.casefold(): who for who, given in self.names.items() for name in given}
        longest = sorted(self.owners, key=lambda name: (-len(name), name))
        self.pattern = re.compile(rf"{edge}(?:{'|'.join(map(re.escape, longest))}){edge}", re.IGNORECASE)

    def numbered(self, line: str) -> str:
        """``line`` with the number of its owner for each name, so that aliases make no difference."""
        return self.pattern.sub(lambda found: f"<{self._owner(found)}>", line.strip())

    def mention(self, context: str, who: str, focus: Span) -> dict[str, Any]:
        """The name of a speaker that stands nearest to ``focus``, outside of it if there is one there.

        Where none stands in the context it is the speaker's first name, without an offset.
        """
        spans = [found.span() for found in self.pattern.finditer(context) if self._owner(found) == who]
        if not spans:
            return {"text": self.names[who][0], "start": None}
        start, end = min(spans, key=lambda span: (_distance(span, focus), span))
        return {"text": context[start:end], "start": start}

    def _owner(self, found: re.Match[str]) -> str | None:
        return self.owners.get(found[0].casefold())


def _distance(span: Span, focus: Span) -> tuple[bool, int]:
    gap = max(focus[0] - span[1], span[0] - focus[1])
    return gap < 0, gap


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines around a line that begins with a quotation, and the number of its speaker."""

    name: str
    lines: Sequence[str]
    target: int
    speaker: str


def read_names(path: Path) -> Names:
    """One speaker a line, ``gender name alias …``, numbered from 0; raises DiscoError for a line without a name."""
    lines = read_text(path).removeprefix("\ufeff").rstrip("\r\n").split("\n")
    names = {str(number): line.split()[1:] for number, line in enumerate(lines)}
    bare = next((number for number, given in names.items() if not given), None)
    if bare is not None:
        raise DiscoError(f"{path}, line {int(bare) + 1}: found no name; a gender and a name are needed.")
    return Names(names)


def records(source: str, excerpts: Iterable[Excerpt], names: Names) -> Iterator[Outcome]:
    """SI records whose work is the stretch of the novel that the excerpt belongs to; the split is left open."""
    excerpts = list(excerpts)
    homes = stretches([[names.numbered(line) for line in excerpt.lines] for excerpt in excerpts])
    seen: set[tuple[str, int]] = set()
    for excerpt, home in zip(excerpts, homes, strict=True):
        work = excerpts[home].name
        row = {"id": record_id(source, work, excerpt.name), "source": source, "work_id": f"{source}:{work}"}
        reason, fields = _fields(excerpt, names)
        if reason is None and (key := (fields["context"], fields["utterance_start"])) in seen:
            reason = "the same utterance in the same context came before"
        elif reason is None:
            seen.add(key)
        yield row | {"language": "zh", "split": None} | fields, reason


def _fields(excerpt: Excerpt, names: Names) -> tuple[str | None, dict[str, Any]]:
    quotation = QUOTATION.match(excerpt.lines[excerpt.target])
    if quotation is None:
        return "the target line does not begin with a quotation", {}
    if excerpt.speaker not in names.names:
        return f"speaker {excerpt.speaker} is not in the list of names", {}
    before = sum(len(line) + 1 for line in excerpt.lines[: excerpt.target])
    focus = before + quotation.start(1), before + quotation.end(1)
    context = "\n".join(excerpt.lines)
    return None, {
        "context": context,
        "utterance": quotation[1],
        "utterance_start": focus[0],
        "utterance_end": focus[1],
        "no_speaker": False,
        "speakers": [names.mention(context, excerpt.speaker, focus)],
    }
