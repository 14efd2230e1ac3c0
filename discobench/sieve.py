"""What a step does with its records: keep them, or drop them with a reason, and count."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import pyarrow as pa

from discobench.records import Balance

Item = TypeVar("Item", contravariant=True)
Record = Mapping[str, Any]
Outcome = tuple[Record, str | None]
"""A record, and why it is dropped, or None."""
PLACE = ("member", "byte_start", "byte_end")
"""Where in the raw files a record lies, as far as its reader says it."""


class Sink(Protocol[Item]):
    """Where rows or tables go one by one: a list, or a file that grows (``discobench.parquet``)."""

    def append(self, item: Item, /) -> None:
        """Take one."""


class Sieve:
    """Counts what falls through, and tells it to ``sink``: rows of schema ``dropped``.

    Without a sink ``dropped`` remembers them; a step over a shard of any size has one.
    """

    def __init__(self, step: str, sink: Sink[dict[str, Any]] | None = None) -> None:
        self.balance = Balance(step)
        self.dropped: list[dict[str, Any]] = []
        self.sink: Sink[dict[str, Any]] = self.dropped if sink is None else sink
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

    def table(self, table: pa.Table, reasons: Mapping[int, str]) -> pa.Table:
        """A table of documents without those rows that have a reason, by their number."""
        self.received += len(table)
        self.balance.keep(len(table) - len(reasons))
        if not reasons:
            return table
        gone = sorted(reasons)
        for place, record in zip(gone, table.select(["id", "source", *PLACE]).take(gone).to_pylist(), strict=True):
            self._drop(record, reasons[place])
        return table.take(np.delete(np.arange(len(table)), gone))

    def _drop(self, record: Record, reason: str) -> None:
        self.balance.drop(reason)
        row = {"id": record["id"], "source": record["source"], "step": self.balance.step, "reason": reason}
        self.sink.append(row | {name: record.get(name) for name in PLACE})

    def write(self, manifest: Path, outputs: Iterable[Path]) -> None:
        """Write the step's balance once its outputs are there."""
        self.balance.write(manifest, self.received, outputs)
