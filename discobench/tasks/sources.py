"""Where a task's records come from: files, the corpus, or a synthesis."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from discobench.errors import DiscoError
from discobench.parquet import iterate_parquet
from discobench.records import SPLITS, beside
from discobench.sieve import Outcome
from discobench.tasks import formats
from discobench.tasks.base import Task
from discobench.tasks.windows import WindowTask

Outcomes = Iterator[Outcome]
SYNTHESISED = "training records are synthesised"


@dataclass(frozen=True, slots=True)
class Files:
    """A folder and the format of the files in it."""

    folder: Path
    format: str


def records(task: Task, source: str, manifests: Sequence[Path], files: Sequence[Files]) -> Outcomes:
    """Records of all splits, or why one is not used. ``source`` is a key of ``READERS``; see config.types.TaskData."""
    yield from READERS[source](task, manifests, files)


def from_files(task: Task, manifests: Sequence[Path], files: Sequence[Files]) -> Outcomes:
    """Files of the formats of ``discobench.tasks.formats``."""
    for part in files:
        yield from formats.read(part.format, task, part.folder, SPLITS)


def from_corpus(task: Task, manifests: Sequence[Path], files: Sequence[Files]) -> Outcomes:
    """Windows of deduplicated documents, then files; raises DiscoError for a task that is not cut from documents."""
    if not isinstance(task, WindowTask):
        raise DiscoError(f"tasks.{task.name}.source: found 'corpus', which only tasks cut from documents allow.")
    for manifest in manifests:
        for document in iterate_parquet(beside(manifest, "deduplicate.parquet"), "document"):
            yield from ((record, None) for record in task.records(document))
    yield from from_files(task, manifests, files)


def from_expansions(task: Task, manifests: Sequence[Path], files: Sequence[Files]) -> Outcomes:
    """Synthesised expansions, each in the split of its book."""
    for manifest in manifests:
        rows = iterate_parquet(beside(manifest, "filter.parquet"), task.schema)
        yield from ((row, None) for row in rows)


def from_zeros(task: Task, manifests: Sequence[Path], files: Sequence[Files]) -> Outcomes:
    """Synthesised zero pronouns to train on; people's labels to validate and test on."""
    for manifest in manifests:
        zeros = iterate_parquet(beside(manifest, "zeros.parquet"), task.schema)
        yield from ((row, None) for row in zeros if row["split"] == "train")
    for part in files:
        for row, reason in formats.read(part.format, task, part.folder, ("valid", "test")):
            yield row, reason or (SYNTHESISED if row["split"] == "train" else None)


READERS = {"file": from_files, "corpus": from_corpus, "te": from_expansions, "zpr": from_zeros}
