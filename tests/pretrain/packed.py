"""Packed corpora written by hand, as rule ``pack`` writes them."""

from pathlib import Path

import numpy as np

from discobench.records import Balance

Split = tuple[list[list[int]], list[int]]


def write_packed(folder: Path, splits: dict[str, Split], genres: list[str], word: int = 1) -> Path:
    """Write documents (token ids) with their genre; every ``word`` tokens are a word."""
    written = []
    for split, (documents, kinds) in splits.items():
        arrays = {
            "tokens": np.array([t for d in documents for t in d], np.uint32),
            "documents": np.cumsum([0, *map(len, documents)]).astype(np.int64),
            "words": np.array([n % word == 0 for d in documents for n in range(len(d))], np.uint8),
            "genres": np.array(kinds, np.int64),
        }
        for name, array in arrays.items():
            written.append(folder / f"{split}.{name}.npy")
            np.save(written[-1], array)
    balance = Balance("pack", kept=1, notes={"genres": genres})
    balance.write(folder / "pack.balance.json", 1, written)
    return folder / "pack.balance.json"
