"""Raw shards for measurements: documents of random words of the demo's texts, some nearly copies of others.

The same language and size give the same bytes. Sentences make no sense, but words, marks, lengths of
sentences, paragraphs and documents are like those of novels, and no two documents are alike by chance.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import rjieba
from numpy.typing import NDArray

from discobench.files import read_text, whole, write_json

DEMO = Path(__file__).parents[1] / "resources/demo/corpus"
LEFT_OUT = ("qingshi.txt", "stray.txt")
"""Files of the demo that are there to be found at fault."""
PART = 10_000_000
"""Bytes of text in one raw file, about."""
NEAR = 0.1
"""Share of documents that are nearly copies of the one before them."""
SHINGLE = 5


@dataclass(frozen=True)
class Document:
    """A text and its name; a near copy has the name of its original and their Jaccard similarity by 5-grams."""

    name: str
    text: str
    original: str | None = None
    similarity: float = 0.0


class Writer:
    """Draws texts of one language; ``length`` is of a usual one in words."""

    def __init__(self, language: str, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        counts = _words(language)
        self.words = np.array(sorted(counts), object)
        weights = np.sqrt([counts[word] for word in self.words])  # rare words as often as in a larger corpus
        self.chances = np.cumsum(weights / weights.sum())
        self.inner, self.ends, self.length = _marks(language)

    def text(self) -> str:
        """A text of lines of sentences, every third line between quotation marks."""
        count = int(self.rng.lognormal(np.log(self.length), 0.5)) + 20
        words = self.words[np.searchsorted(self.chances, self.rng.random(count))]
        stops = self.rng.random(count) < 0.08
        stops[-1] = True
        tails = np.where(stops, self._drawn(self.ends, count), self._drawn(self.inner, count))
        firsts = np.concatenate([[True], stops[:-1]])
        words[firsts] = [word.capitalize() for word in words[firsts]]
        lines = "".join((words + tails).tolist()).strip().split("\n")
        return "\n".join(f"“{line}”" if n % 3 == 1 and line else line for n, line in enumerate(lines))

    def _drawn(self, marks: dict[str, float], count: int) -> NDArray[np.object_]:
        return np.array(list(marks), object)[np.searchsorted(np.cumsum(list(marks.values())), self.rng.random(count))]

    def near(self, text: str) -> str:
        """``text`` with another end, so that both have a Jaccard similarity between 0.4 and 1."""
        wanted = self.rng.uniform(0.4, 1.0)
        kept = int(len(text) * 2 * wanted / (1 + wanted))
        other = self.text()
        while len(other) < len(text):
            other += self.text()
        return text[:kept] + other[: len(text) - kept]


def _words(language: str) -> Counter[str]:
    texts = [read_text(path) for path in sorted(DEMO.glob(f"{language}_*/*.txt")) if path.name not in LEFT_OUT]
    if language == "en":
        return Counter(re.findall("[A-Za-z]+", " ".join(texts)))
    return Counter(word for text in texts for word in rjieba.cut(text) if re.fullmatch("[\u4e00-\u9fff]+", word))


def _marks(language: str) -> tuple[dict[str, float], dict[str, float], int]:
    """What follows a word inside a sentence and at its end, with chances, and the usual length of a document."""
    if language == "en":
        return {" ": 0.91, ", ": 0.09}, {". ": 0.7, "? ": 0.1, ".\n\n": 0.2}, 1300
    return {"": 0.88, "，": 0.12}, {"。": 0.65, "？": 0.1, "。\n": 0.2, "！\n": 0.05}, 1500


def documents(language: str, size: int) -> Iterator[Document]:
    """Documents of ``size`` bytes in all."""
    writer = Writer(language, seed=size)
    before: Document | None = None
    number = 0
    while size > 0:
        name = f"{language}{number:07d}"
        if before and before.original is None and writer.rng.random() < NEAR / (1 - NEAR):
            text = writer.near(before.text)
            before = Document(name, text, before.name, jaccard(before.text, text))
        else:
            before = Document(name, writer.text())
        yield before
        size -= len(before.text.encode("utf-8"))
        number += 1


def jaccard(first: str, second: str) -> float:
    """Of the sets of character 5-grams, without case, marks and blanks."""
    a, b = (_grams(text) for text in (first, second))
    return len(a & b) / len(a | b)


def _grams(text: str) -> set[str]:
    plain = "".join(filter(str.isalnum, text.casefold()))
    return {plain[place : place + SHINGLE] for place in range(len(plain) - SHINGLE + 1)}


def write_shard(folder: Path, language: str, size: int) -> None:
    """``<language>/part-<n>.jsonl.zst`` with texts of ``size`` bytes in all, and ``<language>.pairs.json``."""
    pairs, waiting, parts, filled = [], [], 0, 0
    for document in documents(language, size):
        if document.original:
            pairs.append([document.original, document.name, round(document.similarity, 4)])
        waiting.append(document)
        filled += len(document.text.encode("utf-8"))
        if filled >= PART:
            _write_part(folder / language / f"part-{parts:03d}.jsonl.zst", waiting)
            waiting, parts, filled = [], parts + 1, 0
    if waiting:
        _write_part(folder / language / f"part-{parts:03d}.jsonl.zst", waiting)
    write_json(folder / f"{language}.pairs.json", pairs)


def _write_part(path: Path, found: list[Document]) -> None:
    with whole(path) as temporary, pa.output_stream(str(temporary), compression="zstd") as out:
        for document in found:
            line = {"id": document.name, "work": document.name, "title": None, "text": document.text}
            out.write(json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n")
