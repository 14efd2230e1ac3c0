"""Where a task's records come from: interchange files, the corpus, or a synthesis."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import read_jsonl
from discobench.parquet import iterate_parquet
from discobench.records import SPLITS, beside
from discobench.tasks.base import Task
from discobench.tasks.build import complete
from discobench.tasks.windows import WindowTask

Rows = Iterator[dict[str, Any]]


def records(task: Task, source: str, manifests: Sequence[Path], folder: str) -> Rows:
    """Records of all splits. ``source`` is a key of ``READERS``; see config.types.TaskData."""
    yield from READERS[source](task, manifests, Path(folder))


def from_files(task: Task, manifests: Sequence[Path], folder: Path) -> Rows:
    """Interchange files: JSON Lines ``train``, ``valid`` and ``test`` with the fields of the task's schema."""
    yield from _files(task, folder, SPLITS)


def from_corpus(task: Task, manifests: Sequence[Path], folder: Path) -> Rows:
    """Windows of deduplicated documents; raises DiscoError for a task that is not cut from documents."""
    if not isinstance(task, WindowTask):
        raise DiscoError(f"tasks.{task.name}.source: found 'corpus', which only tasks cut from documents allow.")
    for manifest in manifests:
        for document in iterate_parquet(beside(manifest, "deduplicate.parquet"), "document"):
            yield from task.records(document)


def from_expansions(task: Task, manifests: Sequence[Path], folder: Path) -> Rows:
    """Synthesised expansions, each in the split of its book."""
    for manifest in manifests:
        yield from iterate_parquet(beside(manifest, "filter.parquet"), task.schema)


def from_zeros(task: Task, manifests: Sequence[Path], folder: Path) -> Rows:
    """Synthesised zero pronouns to train on; people's labels to validate and test on."""
    for manifest in manifests:
        zeros = iterate_parquet(beside(manifest, "zeros.parquet"), task.schema)
        yield from (row for row in zeros if row["split"] == "train")
    yield from _files(task, folder, ("valid", "test"))


READERS = {"file": from_files, "corpus": from_corpus, "te": from_expansions, "zpr": from_zeros}


def _files(task: Task, folder: Path, splits: Sequence[str]) -> Rows:
    for split in splits:
        path = folder / f"{split}.jsonl"
        for row in read_jsonl(path):
            if row.get("split") not in (None, split):
                raise DiscoError(f"{path}: record {row.get('id')!r} has split {row['split']!r}; move it to that file.")
            yield complete(row | {"split": split}, task.schema, str(path))
