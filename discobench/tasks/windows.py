"""What TI and TC share: five consecutive sentences of zh web fiction (paper section 3.3)."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from discobench.tasks.base import TextTask

SENTENCES = 5


class WindowTask(TextTask):
    """A task cut from windows of five sentences."""

    languages = ("zh", "zh")
    metrics = ("bertscore", "bleu", "ppl", "dist2", "dist4")

    @abstractmethod
    def from_window(self, sentences: list[str]) -> dict[str, Any]:
        """The task's own fields from five sentences."""

    def records(self, document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Records of a document: its windows do not overlap, the rest of it is left over."""
        for n, sentences in enumerate(windows(document)):
            common = {key: document[key] for key in ("source", "work_id", "language", "split")}
            yield {"id": f"{document['id']}:{n}", **common, **self.from_window(sentences)}


def windows(document: Mapping[str, Any]) -> Iterator[list[str]]:
    """Consecutive runs of five sentences, without blanks at their edges."""
    spans = document["sentence_offsets"]
    for first in range(0, len(spans) - SENTENCES + 1, SENTENCES):
        chosen = spans[first : first + SENTENCES]
        yield [document["text"][span["start"] : span["end"]].strip() for span in chosen]
