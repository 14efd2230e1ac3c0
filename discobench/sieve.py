"""What a step does with its records: keep them, or drop them with a reason, and count."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from discobench.records import Balance

Record = Mapping[str, Any]
Outcome = tuple[Record, str | None]
"""A record, and why it is dropped, or None."""


class Sieve:
    """Counts and remembers what falls through; ``dropped`` has rows of schema ``dropped``."""

    def __init__(self, step: str) -> None:
        self.balance = Balance(step)
        self.dropped: list[dict[str, Any]] = []
        self.received = 0

    def kept(self, outcomes: Iterable[Outcome]) -> Iterator[Record]:
        """Pass on the records without a reason."""
        for record, reason in outcomes:
            self.received += 1
            if reason is None:
                self.balance.keep()
                yield record
            else:
                self._drop(record, reason)

    def _drop(self, record: Record, reason: str) -> None:
        self.balance.drop(reason)
        row = {"id": record["id"], "source": record["source"], "step": self.balance.step, "reason": reason}
        self.dropped.append(row)

    def write(self, manifest: Path, outputs: Iterable[Path]) -> None:
        """Write the step's balance once its outputs are there."""
        self.balance.write(manifest, self.received, outputs)
