"""TensorBoard files: how a training goes, to be looked at while it runs. They bear times and are part of no result."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tensorboardX import SummaryWriter

SECONDS_BETWEEN_WRITES = 30


class Curves:
    """Numbers by step, each under its name; nothing is written without a writer."""

    def __init__(self, writer: SummaryWriter | None = None) -> None:
        self._writer = writer

    def add(self, step: int, numbers: Mapping[str, float]) -> None:
        """Add a point to the curve of each name."""
        for name, number in numbers.items():
            if self._writer:
                self._writer.add_scalar(name, number, step)


@contextmanager
def drawn(folder: Path | None, step: int) -> Iterator[Curves]:
    """Curves in ``folder`` that go on after ``step``: what a killed try drew beyond it is hidden. None: no files."""
    if folder is None:
        yield Curves()
        return
    named = {"filename_suffix": f".{step}", "flush_secs": SECONDS_BETWEEN_WRITES}
    with SummaryWriter(str(folder), purge_step=step + 1, **named) as writer:
        yield Curves(writer)
