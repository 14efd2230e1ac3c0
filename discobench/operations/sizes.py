"""How much text and how many records a run has: as they are found, else as the paper prints them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from discobench.config.selection import Selection
from discobench.files import read_json
from discobench.operations.rates import Rates

PRINTED = {"train": "paper_train", "test": "paper_test"}


class Sizes:
    """Sizes of a run.

    ``table`` holds lines of Table 5. The paper's sizes count only where the run is of its scale. ``results`` is where
    data sets that are built already lie; None: neither they nor raw files are looked at.
    """

    def __init__(self, run: Selection, rates: Rates, table: Sequence[Mapping[str, str]], results: Path | None) -> None:
        self.run, self.rates, self.results = run, rates, results
        self.scale = run.config.report.comparable
        self.table = {(line["language"], line["category"], line["genre"]): line for line in table}

    def bytes(self, genre: str) -> float:
        """UTF-8 bytes of a genre's text."""
        found = self._found(genre)
        return found or self._printed(genre, "characters_or_words") * self._each(genre) * self.scale

    def sentences(self, genre: str) -> float:
        """Sentences of a genre; in a text that is found, as long as the paper's."""
        units = self._printed(genre, "characters_or_words")
        return self.bytes(genre) / self._each(genre) * self._printed(genre, "sentences") / units if units else 0.0

    def records(self, task: str, split: str) -> int:
        """Records of a split: built ones, else lines that are given, else Table 1's, within the limit that is set."""
        data = self.run.config.tasks[task]
        built = self.results / "tasks" / task / f"{split}.parquet" if self.results else None
        if built and built.exists():
            import pyarrow.parquet as pq  # here, since every job reads the workflow, which asks for no built set

            return int(pq.read_metadata(built).num_rows)
        limit = {str(key): value for key, value in data.limit.items()}.get(split)
        count = self._given(task, split) or (getattr(data, PRINTED[split]) if self.scale else limit) or 0
        return min(count, limit or count)

    def _given(self, task: str, split: str) -> int:
        parts = self.run.config.tasks[task].files if self.results else []
        files = [path for part in parts if (path := Path(part.path) / f"{split}.jsonl").is_file()]
        return sum(path.read_bytes().count(b"\n") for path in files)

    def _found(self, genre: str) -> int:
        """Bytes of the files that a run lists as a genre's, else of all that lie in its folder."""
        if not self.results or genre not in self.run.genres:
            return 0
        listed = self.results / "corpus" / genre / "sources.json"
        if listed.exists():
            return int(read_json(listed)["bytes"])
        return sum(file.stat().st_size for file in Path(self.run.genres[genre].path).rglob("*") if file.is_file())

    def _each(self, genre: str) -> float:
        """Bytes of a character (zh) or word (en)."""
        return self.rates.bytes[self.run.config.genres[genre].language].value

    def _printed(self, genre: str, column: str) -> int:
        """A number of Table 5; 0 where it has no such line."""
        entry = self.run.config.genres[genre]
        return int(self.table.get((entry.language, entry.category, entry.genre), {}).get(column, 0))
