"""TC: text completion (paper section 3.3): four sentences that follow a first one."""

from typing import Any

from discobench.tasks.base import Record, first_empty, joined
from discobench.tasks.windows import WindowTask


class TextCompletion(WindowTask):
    """One sentence given, four to write."""

    name = "tc"
    schema = "tc"

    def from_window(self, sentences: list[str]) -> dict[str, Any]:
        """``prompt`` and ``target``."""
        return {"prompt": sentences[0], "target": sentences[1:]}

    def source(self, record: Record) -> str:
        """The first sentence."""
        return str(record["prompt"])

    def target(self, record: Record) -> str:
        """The four sentences in a row."""
        return joined(self.languages[1], record["target"])

    def sentences(self, record: Record) -> list[str]:
        """The prompt and what follows."""
        return [record["prompt"], *record["target"]]

    def incomplete(self, record: Record) -> str | None:
        """Prompt and four sentences must not be empty."""
        if len(record["target"] or []) != 4 or not all(text.strip() for text in record["target"]):
            return "target must hold four sentences that are not empty"
        return first_empty(record, "prompt")

    def fields(self, record: Record) -> dict[str, str]:
        """``prompt``."""
        return {"prompt": str(record["prompt"])}
