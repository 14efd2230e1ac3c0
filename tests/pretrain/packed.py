"""Packed corpora written by hand, as rules ``pack`` and ``index`` write them."""

from pathlib import Path

import numpy as np

from discobench.corpus.index import write_index
from discobench.records import Balance

Split = tuple[list[list[int]], list[int]]
Documents = list[list[int]]


def write_packed(folder: Path, splits: dict[str, Split], genres: list[str], word: int = 1, shards: int = 1) -> Path:
    """Write documents (token ids) with the number of their genre; every ``word`` tokens are a word."""
    written = []
    for number, genre in enumerate(genres):
        chosen = {
            split: [d for d, kind in zip(*splits.get(split, ([], [])), strict=True) if kind == number]
            for split in ("train", "valid")
        }
        for shard in range(shards):
            part = {
                split: found[len(found) * shard // shards : len(found) * (shard + 1) // shards]
                for split, found in chosen.items()
            }
            written.append(write_shard(folder / genre / str(shard), genre, part, word))
    outputs = [folder / f"{split}.documents.npy" for split in ("train", "valid")]
    write_index(folder / "index.balance.json", written, outputs)
    return folder / "index.balance.json"


def write_shard(folder: Path, genre: str, splits: dict[str, Documents], word: int) -> Path:
    """Write the arrays of a shard; returns its manifest."""
    folder.mkdir(parents=True)
    for split, documents in splits.items():
        arrays = {
            "tokens": np.array([t for d in documents for t in d], np.uint32),
            "documents": np.cumsum([0, *map(len, documents)]).astype(np.int64),
            "words": np.array([n % word == 0 for d in documents for n in range(len(d))], np.uint8),
        }
        for name, array in arrays.items():
            np.save(folder / f"{split}.{name}.npy", array)
    return write_manifest(folder, genre, splits)


def write_manifest(folder: Path, genre: str, splits: dict[str, Documents]) -> Path:
    count = sum(map(len, splits.values()))
    counts = {
        "documents": {split: len(documents) for split, documents in splits.items()},
        "tokens": {split: sum(map(len, documents)) for split, documents in splits.items()},
    }
    manifest = folder / "pack.balance.json"
    Balance("pack", kept=count, notes={"genre": genre, **counts}).write(manifest, count, sorted(folder.glob("*.npy")))
    return manifest
