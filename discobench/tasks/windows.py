"""What TI and TC share: five consecutive sentences of a paragraph of zh web fiction (paper section 3.3)."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from discobench.tasks.base import Record, TextTask

SENTENCES = 5
QUOTES = frozenset('“”「」『』"')
Within = Literal["paragraph", "document"]
Span = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Windows:
    """Which five sentences make a record; lengths are code points of a sentence. See config.data.Windows."""

    within: Within = "paragraph"
    min_characters: int = 0
    max_characters: int | None = None
    max_dialogue: float = 1.0

    def fault(self, sentences: Sequence[str]) -> str | None:
        """Which limit some sentences do not keep, or None."""
        if min(map(len, sentences), default=0) < self.min_characters:
            return "a sentence is shorter than windows.min_characters"
        if self.max_characters is not None and max(map(len, sentences), default=0) > self.max_characters:
            return "a sentence is longer than windows.max_characters"
        spoken = sum(not QUOTES.isdisjoint(sentence) for sentence in sentences)
        if spoken > self.max_dialogue * len(sentences):
            return "more of the sentences have quotation marks than windows.max_dialogue"
        return None


class WindowTask(TextTask):
    """A task cut from windows of five sentences."""

    languages = ("zh", "zh")
    metrics = ("bertscore", "bleu", "ppl", "dist2", "dist4")
    windows = Windows()

    @abstractmethod
    def from_window(self, sentences: list[str]) -> dict[str, Any]:
        """The task's own fields from five sentences."""

    @abstractmethod
    def sentences(self, record: Record) -> list[str]:
        """The five sentences of a record, in order."""

    @abstractmethod
    def incomplete(self, record: Record) -> str | None:
        """Which sentences a record lacks, or None."""

    def check(self, record: Record) -> str | None:
        """Five sentences that are not empty, within the limits of ``windows``."""
        return self.incomplete(record) or self.windows.fault(self.sentences(record))

    def records(self, document: Mapping[str, Any], within: Within | None = None) -> Iterator[dict[str, Any]]:
        """Records of a document: its windows do not overlap, the rest of it is left over.

        ``within`` is that of ``windows`` but for documents that do not know their paragraphs.
        """
        for n, sentences in enumerate(windows(document, within or self.windows.within)):
            common = {key: document[key] for key in ("source", "work_id", "language", "split")}
            yield {"id": f"{document['id']}:{n}", **common, **self.from_window(sentences)}


def windows(document: Mapping[str, Any], within: Within) -> Iterator[list[str]]:
    """Consecutive runs of five sentences of one paragraph, or of the document, without blanks at their edges."""
    for spans in _paragraphs(document) if within == "paragraph" else [document["sentence_offsets"]]:
        for first in range(0, len(spans) - SENTENCES + 1, SENTENCES):
            chosen = spans[first : first + SENTENCES]
            yield [document["text"][span["start"] : span["end"]].strip() for span in chosen]


def _paragraphs(document: Mapping[str, Any]) -> Iterator[list[Span]]:
    """The sentences of each paragraph: a line of the text."""
    spans: list[Span] = []
    for span in document["sentence_offsets"]:
        if spans and "\n" in document["text"][spans[-1]["end"] - 1 : span["start"] + 1]:
            yield spans
            spans = []
        spans.append(span)
    yield spans
