"""The least that any cleaning must do, step by step: what the corpus is held against.

Exactly four steps, each on all of the text: read zstd and JSON; spans of sentences by one regex; an exact
64-bit hash of every 5-gram of characters, in numpy; write Parquet with zstd. The rate of the whole chain
is that of the sum of their CPU seconds. Nothing is checked, counted, normalised or kept by id.
"""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

SENTENCE = {
    "zh": re.compile("[^。！？!?…\n]*(?:[。！？!?…\n]+[”’」』）)]*|$)"),
    "en": re.compile(r"\S.*?(?:[.!?…]+[”’\")\]]*(?=\s+[“‘\"'(\[]*[A-Z])|$)", re.MULTILINE),
}
PRIME = np.uint64(1_099_511_628_211)
SHINGLE = 5


def floor(parts: list[Path], language: str, output: Path) -> dict[str, float]:
    """CPU seconds of each step on raw parts: read, sentences, 5-gram hashes, write."""
    steps: dict[str, float] = {}
    for part in parts:
        records = _timed(steps, "read zstd and JSON", lambda part=part: list(_read(part)))
        texts = [record["text"] for record in records]
        _timed(steps, "sentences by a regex", lambda texts=texts: [_spans(text, language) for text in texts])
        _timed(steps, "hashes of 5-grams", lambda texts=texts: [_hashes(text) for text in texts])
        _timed(steps, "write Parquet", lambda texts=texts: _write(texts, output))
    return steps


def _timed(steps: dict[str, float], name: str, work: Callable[[], Any]) -> Any:
    start = time.process_time()
    found = work()
    steps[name] = steps.get(name, 0.0) + time.process_time() - start
    return found


def _read(part: Path) -> Iterator[dict[str, Any]]:
    with pa.input_stream(str(part), compression="zstd") as stream:
        yield from map(orjson.loads, stream.read().split(b"\n")[:-1])


def _spans(text: str, language: str) -> list[tuple[int, int]]:
    return [match.span() for match in SENTENCE[language].finditer(text)]


def _hashes(text: str) -> Any:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.uint64)
    hashes = np.zeros(max(len(codes) - SHINGLE + 1, 0), np.uint64)
    for place in range(SHINGLE):
        hashes = (hashes ^ codes[place : place + len(hashes)]) * PRIME
    return hashes


def _write(texts: list[str], output: Path) -> None:
    table = pa.table({"text": pa.array(texts, pa.large_string())})
    pq.write_table(table, output, compression="zstd")
