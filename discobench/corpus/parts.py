"""What is compared of a document: all of it, or each of its chapters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from discobench.corpus.rules import Rules


@dataclass(frozen=True, slots=True)
class Part:
    """Code points [start, end) of a document, by its number; ``text`` is what is compared of them."""

    document: int
    start: int
    end: int
    text: str


def parts(texts: Sequence[str], rules: Rules | None) -> Iterator[Part]:
    """The parts of documents in their order: chapters where ``rules`` say what a heading is.

    Every document has one at least. A chapter is compared without its heading, since chapters that are
    documents have none in their text; chapters of a longer document without a letter are left alone.
    """
    for number, text in enumerate(texts):
        spans = _chapters(text, rules) if rules else [(0, len(text))]
        found = [Part(number, start, end, _body(text[start:end], rules)) for start, end in spans]
        yield from [part for part in found if any(map(str.isalnum, part.text))] or [Part(number, 0, len(text), text)]


def _chapters(text: str, rules: Rules) -> Iterator[tuple[int, int]]:
    """Spans from each heading to the next, or to the end; what stands before the first is one too."""
    start = position = 0
    for line in text.split("\n"):
        if position and rules.is_heading(line):
            yield start, position
            start = position
        position += len(line) + 1
    yield start, len(text)


def _body(text: str, rules: Rules | None) -> str:
    heading, _, rest = text.partition("\n")
    return rest if rules and rules.is_heading(heading) else text
