"""What NT, CCT and PT share (paper section 3.2)."""

from discobench.tasks.base import Record, TextTask, first_empty


class Translation(TextTask):
    """Sentences of documents with one or more references; d-BLEU needs the document."""

    def source(self, record: Record) -> str:
        """The source sentence."""
        return str(record["source_text"])

    def target(self, record: Record) -> str:
        """The first reference."""
        return str(record["references"][0])

    def gold(self, record: Record) -> list[str]:
        """Every reference."""
        return list(record["references"])

    def check(self, record: Record) -> str | None:
        """Source and at least one reference must not be empty."""
        if not record["references"] or not all(text.strip() for text in record["references"]):
            return "references hold an empty text"
        return first_empty(record, "source_text", "document_id")

    def labels(self, record: Record) -> list[str]:
        """How many references."""
        number = len(record["references"])
        return ["1 reference" if number == 1 else f"{number} references"]

    def group(self, record: Record) -> str:
        """The document."""
        return str(record["document_id"])
