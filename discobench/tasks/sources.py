"""Where a task's records come from: files, the corpus, or a synthesis."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.parquet import iterate_parquet
from discobench.records import SPLITS, beside
from discobench.sieve import Outcome
from discobench.tasks import formats
from discobench.tasks.base import Task
from discobench.tasks.build import placed
from discobench.tasks.windows import WindowTask

Outcomes = Iterator[Outcome]
SYNTHESISED = "training records are synthesised"


@dataclass(frozen=True, slots=True)
class Files:
    """A folder and the format of the files in it."""

    folder: Path
    format: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What a task's records are read from; ``works`` is how works without a split get one, see ``build.placed``."""

    manifests: Sequence[Path] = ()
    files: Sequence[Files] = ()
    works: Mapping[str, Any] | None = None

    def read(self, task: Task, splits: Sequence[str] = SPLITS) -> Outcomes:
        """Records of the files, each in the split that it names or else in that of its work."""
        for part in self.files:
            yield from placed(formats.read(part.format, task, part.folder, splits), self.works)


def records(task: Task, source: str, origin: Origin) -> Outcomes:
    """Records of all splits, or why one is not used. ``source`` is a key of ``READERS``; see config.types.TaskData."""
    yield from READERS[source](task, origin)


def from_files(task: Task, origin: Origin) -> Outcomes:
    """Files of the formats of ``discobench.tasks.formats``."""
    yield from origin.read(task)


def from_corpus(task: Task, origin: Origin) -> Outcomes:
    """Windows of deduplicated documents, then files; raises DiscoError for a task that is not cut from documents."""
    if not isinstance(task, WindowTask):
        raise DiscoError(f"tasks.{task.name}.source: found 'corpus', which only tasks cut from documents allow.")
    for manifest in origin.manifests:
        for document in iterate_parquet(beside(manifest, "deduplicate.parquet"), "document"):
            yield from ((record, None) for record in task.records(document))
    yield from origin.read(task)


def from_expansions(task: Task, origin: Origin) -> Outcomes:
    """Synthesised expansions, each in the split of its book."""
    for manifest in origin.manifests:
        rows = iterate_parquet(beside(manifest, "filter.parquet"), task.schema)
        yield from ((row, None) for row in rows)


def from_zeros(task: Task, origin: Origin) -> Outcomes:
    """Synthesised zero pronouns to train on; people's labels to validate and test on."""
    for manifest in origin.manifests:
        zeros = iterate_parquet(beside(manifest, "zeros.parquet"), task.schema)
        yield from ((row, None) for row in zeros if row["split"] == "train")
    for row, reason in origin.read(task, ("valid", "test")):
        yield row, reason or (SYNTHESISED if row["split"] == "train" else None)


READERS = {"file": from_files, "corpus": from_corpus, "te": from_expansions, "zpr": from_zeros}
