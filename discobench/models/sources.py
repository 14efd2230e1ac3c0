"""Where checkpoints come from: drawn here, fetched from a hub, or copied from a folder."""

import json
import shutil
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from discobench.files import write_json
from discobench.formulations import strings
from discobench.models.store import check_checkpoint, is_pickled
from discobench.parquet import iterate_parquet
from discobench.records import beside
from discobench.tasks import task

CHARACTERS = 50_000_000
"""Characters of text that a vocabulary is learned from, at most."""
CONFIGURATION = (".json", ".txt", ".model")
"""Endings of configuration and vocabulary files."""


def vocabulary_texts(tasks: dict[str, Path], documents: Iterable[Path]) -> list[str]:
    """Texts of the train split of tasks (name -> manifest) and of deduplicated documents (manifests).

    Each source gives at most its equal part of CHARACTERS, from its beginning.
    """
    parts = [_task_texts(name, manifest) for name, manifest in tasks.items()]
    parts += [_document_texts(manifest) for manifest in documents]
    room = CHARACTERS // max(1, len(parts))
    return list(chain.from_iterable(_first(part, room) for part in parts))


def _first(texts: Iterable[str], room: int) -> Iterator[str]:
    for text in texts:
        if room <= 0:
            return
        yield text
        room -= len(text)


def _task_texts(name: str, manifest: Path) -> Iterator[str]:
    kind = task(name)
    for record in iterate_parquet(beside(manifest, "train.parquet"), kind.schema):
        yield from strings(kind.example(record))


def _document_texts(manifest: Path) -> Iterator[str]:
    records = iterate_parquet(beside(manifest, "deduplicate.parquet"), "document")
    return (record["text"] for record in records if record["split"] == "train")


def localise(path: Path, folder: Path, family: str | None = None) -> None:
    """Copy a checkpoint from ``path`` (a folder as ``save_pretrained`` writes it) after checking it.

    Weights as PyTorch wrote them before safetensors are converted. Raises DiscoError when weights are missing, hold
    more than numbers, are of another family, or when the parts do not fit together.
    """
    files = [file for file in sorted(path.iterdir()) if file.is_file()] if path.is_dir() else []
    pickled = not any(is_weights(file.name) for file in files) and any(is_pickled(file.name) for file in files)
    if not pickled:
        check_checkpoint(path, family=family)
    for file in files:
        if belongs(file.name) and file.name != "model.json":
            shutil.copyfile(file, folder / file.name)
    if pickled:
        from discobench.models.convert import convert

        convert(path, folder)
        check_checkpoint(folder, family=family)


def belongs(name: str) -> bool:
    """Whether a file of a checkpoint's folder is taken: weights as safetensors, configuration, vocabulary."""
    return "/" not in name and (name.endswith(CONFIGURATION) or is_weights(name))


def is_weights(name: str) -> bool:
    """Whether a file holds the weights that transformers loads (not those of another format or precision)."""
    return name == "model.safetensors" or (name.startswith("model-") and name.endswith(".safetensors"))


def record_revision(lock: Path, source: str, revision: str) -> None:
    """Note in the user's lock file which revision of ``source`` was fetched."""
    from filelock import FileLock

    with FileLock(lock.with_name(f".{lock.name}.lock")):
        write_json(lock, read_lock(lock) | {source: revision})


def read_lock(lock: Path) -> dict[str, Any]:
    """Source -> revision; empty when nothing was fetched yet."""
    return dict(json.loads(lock.read_text("utf-8"))) if lock.exists() else {}
