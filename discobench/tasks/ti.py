"""TI: text infilling (paper section 3.3): the middle one of five sentences from the other four."""

from typing import Any

from discobench.tasks.base import Record, first_empty, joined
from discobench.tasks.windows import WindowTask

GAP = "□"


class TextInfilling(WindowTask):
    """Two sentences before, one to write, two after."""

    name = "ti"
    schema = "ti"

    def from_window(self, sentences: list[str]) -> dict[str, Any]:
        """``before``, ``target``, ``after``."""
        return {"before": sentences[:2], "target": sentences[2], "after": sentences[3:]}

    def source(self, record: Record) -> str:
        """The context with a mark where the sentence is missing."""
        return joined(self.languages[0], [*record["before"], GAP, *record["after"]])

    def sentences(self, record: Record) -> list[str]:
        """As they follow each other, the target in the middle."""
        return [*record["before"], record["target"], *record["after"]]

    def incomplete(self, record: Record) -> str | None:
        """The target must not be empty and the context has two sentences on each side."""
        around = [*(record["before"] or []), *(record["after"] or [])]
        if [len(record[side] or []) for side in ("before", "after")] != [2, 2] or not all(map(str.strip, around)):
            return "before and after must hold two sentences each that are not empty"
        return first_empty(record, "target")

    def fields(self, record: Record) -> dict[str, str]:
        """``before`` and ``after``."""
        return {side: joined(self.languages[0], record[side]) for side in ("before", "after")}
