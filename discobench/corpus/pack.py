"""Documents to token arrays that training reads by memory map.

Per split: ``tokens`` uint32 [n], ``documents`` int64 [d + 1] (start of each document, then n),
``words`` uint8 [n] (1 where a token begins a word), ``genres`` int64 [d]. No special tokens.
"""

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import rjieba
from numpy.typing import NDArray
from tokenizers import Tokenizer

from discobench.corpus.texts import WORD
from discobench.errors import DiscoError
from discobench.files import whole
from discobench.sieve import Outcome, Record

COLUMNS = {"tokens": np.uint32, "documents": np.int64, "words": np.uint8, "genres": np.int64}
SPLITS = ("train", "valid")


def load_tokenizer(folder: Path) -> Tokenizer:
    """The fast tokenizer of a checkpoint; raises DiscoError when the folder has none.

    ``tokenizer.json`` needs no torch; other forms are converted by transformers, which imports it.
    """
    if (folder / "tokenizer.json").is_file():
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    else:
        tokenizer = _converted(folder)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _converted(folder: Path) -> Tokenizer:
    from transformers import AutoTokenizer

    try:
        loaded = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        tokenizer: Tokenizer = loaded.backend_tokenizer
    except (OSError, ValueError, AttributeError) as error:
        raise DiscoError(f"{folder} has no tokenizer that can be loaded; fetch the checkpoint again.") from error
    return tokenizer


def word_starts(text: str, language: str) -> NDArray[np.int64]:
    """Code point offsets where words begin: rjieba's for zh, letters and single marks for en."""
    if language == "zh":
        starts = [start for word, start, _ in rjieba.tokenize(text) if not word.isspace()]
        return np.array(starts, np.int64)
    inside = {place for match in WORD.finditer(text) for place in range(match.start() + 1, match.end())}
    return np.array([n for n, character in enumerate(text) if n not in inside and not character.isspace()], np.int64)


def begins_word(starts: NDArray[np.int64], offsets: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """1 for each token in which a word begins; of tokens that share one character, the first."""
    ends = np.array([end for _, end in offsets], np.int64)
    count = np.searchsorted(starts, ends, side="left")
    return np.asarray(np.diff(count, prepend=0) > 0, np.uint8)


class Column:
    """An array that grows on disk, nameless in ``folder``, and becomes an ``.npy`` file whole."""

    def __init__(self, dtype: type, folder: Path) -> None:
        self.dtype = np.dtype(dtype)
        self.size = 0
        self.stream = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - lives as long as the column

    def extend(self, values: Any) -> None:
        """Append a sequence of numbers."""
        array = np.asarray(values, self.dtype)
        self.stream.write(array.tobytes())
        self.size += len(array)

    def write(self, path: Path) -> None:
        """Write what was appended."""
        header = {"descr": self.dtype.str, "fortran_order": False, "shape": (self.size,)}
        with whole(path) as temporary, temporary.open("wb") as out:
            np.lib.format.write_array_header_1_0(out, header)
            self.stream.seek(0)
            shutil.copyfileobj(self.stream, out)


class Pack:
    """Arrays of the splits under way; ``genres`` are the names that the column refers to."""

    def __init__(self, tokenizer: Tokenizer, genres: list[str], folder: Path) -> None:
        self.tokenizer, self.genres = tokenizer, genres
        self.columns = {split: {name: Column(dtype, folder) for name, dtype in COLUMNS.items()} for split in SPLITS}

    def add(self, record: Record) -> Outcome:
        """Append a document to its split."""
        encoding = self.tokenizer.encode(record["text"], add_special_tokens=False)
        if not encoding.ids:
            return record, "no tokens"
        columns = self.columns[record["split"]]
        columns["documents"].extend([columns["tokens"].size])
        columns["tokens"].extend(encoding.ids)
        columns["words"].extend(begins_word(word_starts(record["text"], record["language"]), encoding.offsets))
        columns["genres"].extend([self.genres.index(record["source"])])
        return record, None

    def sizes(self) -> dict[str, int]:
        """Tokens per split."""
        return {split: columns["tokens"].size for split, columns in self.columns.items()}

    def write(self, outputs: Iterable[Path]) -> None:
        """Write each file named ``<split>.<column>.npy``."""
        for columns in self.columns.values():
            columns["documents"].extend([columns["tokens"].size])
        for path in outputs:
            split, column, _ = path.name.split(".")
            self.columns[split][column].write(path)
