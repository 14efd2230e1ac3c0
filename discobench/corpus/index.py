"""Packed shards as one corpus: what it holds, however many shards there are, and where they are.

The manifest and ``<split>.documents.npy`` int64 [d + 1] (where each document begins in the line of all, then their
end) are the same for any number of shards, so that pretraining need not run again when that changes. ``shards.json``
names the folders, in which the tokens stay.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from discobench.corpus.pack import SPLITS, column
from discobench.files import BLOCK, read_json, write_json
from discobench.records import Balance, beside, listed, manifest_of

SHARDS = "shards.json"
IN_SHARDS = ("tokens", "words")


def write_index(manifest: Path, shards: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Write the manifest, ``outputs`` (``<split>.documents.npy``) and the list of shards.

    ``shards`` are the manifests of packed shards in the order in which they are read, those of a genre together.
    """
    for output in outputs:
        _write_documents(output, [beside(shard, output.name) for shard in shards])
    write_json(manifest.with_name(SHARDS), [os.path.relpath(shard, manifest.parent) for shard in shards])
    names = [f"{split}.{name}.npy" for split in SPLITS for name in IN_SHARDS]
    digests = {name: _sha256([listed(shard, name) for shard in shards]) for name in names}
    genres = _genres([manifest_of(shard)["notes"] for shard in shards])
    count = sum(sum(genre["documents"].values()) for genre in genres)
    Balance("index", kept=count, notes={"genres": genres, "sha256": digests}).write(manifest, count, outputs)


def read_shards(manifest: Path) -> list[Path]:
    """The manifests of the packed shards of an index, in order."""
    return [manifest.parent / str(shard) for shard in read_json(manifest.with_name(SHARDS))]


def _write_documents(output: Path, parts: Sequence[Path]) -> None:
    with column(output, np.int64) as growing:
        before = 0
        for part in parts:
            starts = np.load(part)
            growing.extend(starts[:-1] + before)
            before += int(starts[-1])
        growing.extend([before])


def _sha256(files: Sequence[Path]) -> str:
    """Of the numbers of arrays, one after the other."""
    digest = hashlib.sha256()
    for file in files:
        for block in _numbers(file):
            digest.update(block)
    return digest.hexdigest()


def _numbers(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        np.lib.format.read_magic(stream)
        np.lib.format.read_array_header_1_0(stream)
        while block := stream.read(BLOCK):
            yield block


def _genres(shards: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Documents and tokens of each genre by split."""
    found: dict[str, dict[str, Any]] = {}
    for notes in shards:
        empty = {name: dict.fromkeys(SPLITS, 0) for name in ("documents", "tokens")}
        counts = found.setdefault(notes["genre"], {"name": notes["genre"], **empty})
        for name in empty:
            counts[name] = {split: counts[name][split] + notes[name][split] for split in SPLITS}
    return list(found.values())
