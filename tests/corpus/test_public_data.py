"""Real raw texts: old encodings, two editions of a novel, Gutenberg's frames. Skipped where they are not at hand."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discobench.corpus.clean import Cleaner, Forms
from discobench.corpus.encodings import decode
from discobench.corpus.filters import Limits, failures
from discobench.corpus.rules import Rules
from discobench.schema import schema

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("DISCOBENCH_PUBLIC_DATA" not in os.environ, reason="DISCOBENCH_PUBLIC_DATA is not set"),
]
LIMITS = Limits(8, max_bytes=5_000_000, max_repetition=0.5, min_language=0.5, max_digits=0.3, max_marks=0.5)

GUTENBERG = re.compile(r"project gutenberg|small print|\betext\b", re.IGNORECASE)


def folder(name: str) -> Path:
    return Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / "corpus" / name


def cleaned(ingested: Callable[..., Any], rules: Rules, *genre: Any) -> list[dict[str, Any]]:
    read = [record for record, reason in ingested(*genre) if reason is None]
    cleaner = Cleaner(rules, read[0]["language"], Forms("letters", False), {"valid": 0.1, "test": 0.1}, 1)
    table = cleaner(pa.Table.from_pylist(read, schema=schema("document")))
    return table.filter(failures(cleaner.scores[0], LIMITS) == 0).to_pylist()


@pytest.mark.parametrize(("name", "language"), [("zh_novel_classic", "zh"), ("en_book", "en"), ("zh_poetry", "zh")])
def test_every_text_can_be_decoded(name: str, language: str) -> None:
    paths = sorted(folder(name).rglob("*.txt"))
    assert paths
    for path in paths:
        data = path.read_bytes()
        decoded = decode(data, language)
        assert decoded is not None, path
        assert decoded.text.encode(decoded.encoding) == data[decoded.start :]


def test_two_editions_of_a_novel_are_near_duplicates(
    ingested: Callable[..., Any], rules: dict[str, Rules], repeated: Callable[..., Any]
) -> None:
    records = cleaned(ingested, rules["zh"], folder("zh_novel_classic"), "chapter")
    assert len({record["id"] for record in records}) == len(records)
    dropped = repeated([records])
    pairs = {frozenset(name.split(":")[1] for name in (dropped_name, kept)) for dropped_name, _, _, kept, _ in dropped}
    assert len(dropped) > 50
    assert pairs == {frozenset({"utf8_crlf_tennessine", "gb18030_liangwe"})}


def test_gutenberg_frames_are_cut(ingested: Callable[..., Any], rules: dict[str, Rules]) -> None:
    records = cleaned(ingested, rules["en"], folder("en_book"), "file", "en")
    assert len(records) == len(list(folder("en_book").rglob("*.txt")))
    for record in records:
        assert not GUTENBERG.search(record["text"]), record["source"]
        assert all(record["text"][s["start"] : s["end"]].strip() for s in record["sentence_offsets"])
