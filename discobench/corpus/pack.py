"""Documents to token arrays that training reads by memory map.

Per split: ``tokens`` [n] (uint16, uint32 for more than 65,536), ``documents`` int64 [d + 1] (start of
each document, then n), ``words`` uint8 [n] (1 where a token begins a word). No special tokens, no padding.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from tokenizers import Tokenizer

from discobench.corpus.codes import Codes, codes
from discobench.corpus.encoders import Encoded, encoder
from discobench.corpus.words import word_starts
from discobench.files import whole

SPLITS = ("train", "valid")
Reasons = dict[int, str]


class Column:
    """An ``.npy`` file that grows as it is written."""

    def __init__(self, stream: IO[bytes], dtype: type[Any]) -> None:
        self.stream, self.dtype = stream, np.dtype(dtype)
        self.size = 0
        self._head()

    def _head(self) -> None:
        """numpy keeps room for the longest length in every header."""
        self.stream.seek(0)
        header = {"descr": self.dtype.str, "fortran_order": False, "shape": (self.size,)}
        np.lib.format.write_array_header_1_0(self.stream, header)

    def extend(self, values: Any) -> None:
        """Append a sequence of numbers."""
        array = np.ascontiguousarray(values, self.dtype)
        self.stream.write(array.data)
        self.size += len(array)

    def close(self) -> None:
        """Say in the header how many there are."""
        self._head()
        self.stream.flush()


@contextmanager
def column(path: Path, dtype: type[Any]) -> Iterator[Column]:
    """A column that is there whole when the block succeeds."""
    with whole(path) as temporary, temporary.open("wb") as stream:
        growing = Column(stream, dtype)
        yield growing
        growing.close()


class Pack:
    """Arrays of the splits under way."""

    def __init__(self, tokenizer: Tokenizer, outputs: Sequence[Path]) -> None:
        """``outputs`` are named ``<split>.<column>.npy``; they appear when the block ends."""
        self.encode, self.outputs = encoder(tokenizer), outputs
        tokens = np.uint16 if tokenizer.get_vocab_size() <= 1 << 16 else np.uint32
        self.dtypes = {"tokens": tokens, "documents": np.int64, "words": np.uint8}
        self.columns: dict[str, dict[str, Column]] = {split: {} for split in SPLITS}
        self.stack = ExitStack()

    def __enter__(self) -> "Pack":
        with ExitStack() as stack:
            for path in self.outputs:
                split, name, _ = path.name.split(".")
                self.columns[split][name] = stack.enter_context(column(path, self.dtypes[name]))
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            for columns in self.columns.values():
                columns["documents"].extend([columns["tokens"].size])
        self.stack.__exit__(*error)

    def add(self, table: pa.Table) -> Reasons:
        """Append documents of one language to their splits; by row number, why some are not."""
        reasons: Reasons = {}
        for split in SPLITS:
            rows = np.flatnonzero(pc.equal(table["split"], split).to_numpy())
            if len(rows):
                bare = self._append(self.columns[split], table.take(rows))
                reasons |= dict.fromkeys(rows[bare].tolist(), "no tokens")
        return reasons

    def _append(self, columns: dict[str, Column], table: pa.Table) -> NDArray[np.int64]:
        texts = table["text"].to_pylist()
        found = codes(texts, "\n")
        encoded = self.encode(texts, found)
        sizes = np.diff(encoded.bounds)
        columns["documents"].extend(columns["tokens"].size + encoded.bounds[:-1][sizes > 0])
        columns["tokens"].extend(encoded.ids)
        columns["words"].extend(begins_word(found, encoded, table["language"][0].as_py()))
        return np.flatnonzero(sizes == 0)

    def sizes(self) -> dict[str, dict[str, int]]:
        """Documents and tokens per split."""
        names = ("documents", "tokens")
        return {name: {split: columns[name].size for split, columns in self.columns.items()} for name in names}


def begins_word(found: Codes, encoded: Encoded, language: str) -> NDArray[np.bool_]:
    """True for each token in which a word begins; of tokens that share one character, the first."""
    before = np.concatenate([[0], np.cumsum(word_starts(found, language))])
    count = before[encoded.ends]
    earlier = np.concatenate([[0], count[:-1]])[: len(count)]
    first, full = encoded.bounds[:-1], np.diff(encoded.bounds) > 0
    earlier[first[full]] = before[found.bounds[:-1][full]]
    begins: NDArray[np.bool_] = count > earlier
    return begins
