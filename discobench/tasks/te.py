"""TE: text expansion, English (paper section 3.3): put the deleted modifiers back."""

from itertools import pairwise

from discobench.synthesis.expansion import derive_source, ordered
from discobench.tasks.base import Record, TextTask, first_empty


class TextExpansion(TextTask):
    """Runs of sentences whose modifiers were deleted by the stage ``synthesis``."""

    name = "te"
    languages = ("en", "en")
    schema = "te"
    metrics = ("bleu", "bertscore", "ppl", "dist2", "dist4")

    def source(self, record: Record) -> str:
        """The text without its modifiers."""
        return str(record["source_text"])

    def check(self, record: Record) -> str | None:
        """Both texts must not be empty; insertions and edits, where there are any, lead from one to the other."""
        if fault := first_empty(record, "source_text", "target"):
            return fault
        spans = [*(record["insertions"] or []), *(record["edits"] or [])]
        length = len(record["target"])
        if any(None in span.values() or not 0 <= span["start"] <= span["end"] <= length for span in spans):
            return "a span of insertions or edits lies outside the target"
        return _unfaithful(record) if spans else None

    def labels(self, record: Record) -> list[str]:
        """The types of what was deleted."""
        return [str(insertion["type"]) for insertion in record["insertions"] or []]


def _unfaithful(record: Record) -> str | None:
    target, insertions, edits = str(record["target"]), record["insertions"] or [], record["edits"] or []
    if any(one["end"] > other["start"] for one, other in pairwise(ordered(insertions, edits))):
        return "spans of insertions or edits overlap"
    odd = next((edit["to"] for edit in edits if target[edit["start"] : edit["end"]] != edit["to"]), None)
    if odd is not None:
        return f"an edit says that the target has {odd!r} where it does not"
    derived = derive_source(target, insertions, edits)
    return None if derived == record["source_text"] else "source_text is not target without its insertions and edits"
