"""TE: text expansion, English (paper section 3.3): put the deleted modifiers back."""

from discobench.tasks.base import Record, TextTask, first_empty


class TextExpansion(TextTask):
    """Runs of sentences whose modifiers were deleted by the stage ``synthesis``."""

    name = "te"
    languages = ("en", "en")
    schema = "te"
    metrics = ("bleu", "ppl")

    def source(self, record: Record) -> str:
        """The text without its modifiers."""
        return str(record["source_text"])

    def check(self, record: Record) -> str | None:
        """Both texts must not be empty."""
        return first_empty(record, "source_text", "target")
