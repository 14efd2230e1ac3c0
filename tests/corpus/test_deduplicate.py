"""Decisions applied: documents dropped, single chapters cut, and no text gone without a record of it."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.clean import Cleaner, Forms
from discobench.corpus.deduplicate import Deduplicator
from discobench.corpus.rules import Rules
from discobench.corpus.verdicts import rows_between
from discobench.parquet import write_parquet
from discobench.schema import empty, schema
from discobench.sieve import Sieve
from tests.corpus.conftest import measured

Make = Callable[..., dict[str, Any]]
NONE: frozenset[str] = frozenset()
SEPARATORS = ("\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


def decision(id: str, start: int, end: int, reason: str, kept: str | None = None) -> dict[str, Any]:
    return {"id": id, "start": start, "end": end, "kept": kept, "reason": reason}


def sifted(records: list[dict[str, Any]], decisions: list[dict[str, Any]]) -> tuple[list[dict], Sieve, dict[str, int]]:
    sieve = Sieve("deduplicate")
    sift = Deduplicator(decisions, sieve)
    kept = sift(pa.Table.from_pylist(records, schema=schema("document"))).to_pylist()
    assert sieve.received == len(records) == len(kept) + len(sieve.dropped)
    return kept, sieve, sift.cut


def test_documents_are_dropped_and_single_chapters_cut(document: Make) -> None:
    first, second, third = "第一章\n他来了。\n雨停了。\n", "第二章\n她走了。\n", "第三章\n天黑了。"
    book = first + second + third
    records = [
        measured(document(text, name), NONE) for name, text in {"a": book, "b": book, "c": book, "d": "好。"}.items()
    ]
    middle = len(first), len(first + second)
    decisions = [
        decision("a", *middle, "near duplicate", "b"),
        decision("c", 0, middle[0], "exact duplicate", "b"),
        decision("c", *middle, "exact duplicate", "b"),
        decision("c", middle[1], len(book), "near duplicate", "b"),
        decision("d", 0, 2, "too short"),
    ]
    kept, sieve, cut = sifted(records, decisions)
    assert [record["id"] for record in kept] == ["a", "b"]
    assert kept[1] == records[1]
    assert kept[0]["text"] == first + third
    assert kept[0] == measured(document(first + third, "a"), NONE)
    assert [(row["id"], row["reason"]) for row in sieve.dropped] == [("c", "exact duplicate"), ("d", "too short")]
    assert cut == {"chapters": 1, "characters": len(second)}


def test_a_filter_counts_for_all_of_a_document(document: Make) -> None:
    record = measured(document("第一章\n他来了。\n第二章\n她走了。", "a"), NONE)
    decisions = [decision("a", 0, 9, "repetitive"), decision("a", 9, 17, "repetitive")]
    kept, sieve, _ = sifted([record], decisions)
    assert (kept, sieve.balance.dropped) == ([], {"repetitive": 1})


@given(st.lists(st.tuples(st.text("雨雪来去。", min_size=1, max_size=6), st.booleans()), min_size=1, max_size=6))
def test_no_sentence_is_lost_without_a_decision(chapters: list[tuple[str, bool]]) -> None:
    """What is left and what was decided against are the whole document."""
    texts = [f"第{n}章\n风{text}\n" for n, (text, _) in enumerate(chapters)]
    whole = "".join(texts)
    starts = [len("".join(texts[:n])) for n in range(len(texts))]
    base = {"id": "a", "source": "g", "work_id": "g:w", "language": "zh", "split": "train"}
    record = measured({**empty("document"), **base, "text": whole}, NONE)
    gone = [n for n, (_, drop) in enumerate(chapters) if drop]
    decisions = [decision("a", starts[n], starts[n] + len(texts[n]), "near duplicate", "b") for n in gone]
    kept, sieve, cut = sifted([record], decisions)
    left = "".join(text for n, text in enumerate(texts) if n not in gone)
    assert "".join(row["text"] for row in kept).split() == left.split()
    assert [row["reason"] for row in sieve.dropped] == ([] if left else ["near duplicate"])
    assert cut["chapters"] == (len(gone) if left else 0)


@pytest.mark.parametrize("separator", SEPARATORS)
def test_no_separator_makes_a_document_of_its_own(
    rules: dict[str, Rules], repeated: Callable[..., list[Any]], document: Make, separator: str
) -> None:
    """Through cleaning, signing and deduplication: as many documents, under the same ids, and nothing in between."""
    rng = Random(5)
    texts = ["".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(60)) for _ in range(5)]
    texts = [f"{text[:30]}。{separator}{text[30:]}" for text in texts]
    rows = [document(text.replace("\r\n", "\n").replace("\r", "\n"), f"{n}") for n, text in enumerate(texts)]
    raw = pa.Table.from_pylist([row | {"sentence_offsets": []} for row in rows], schema=schema("document"))
    records = Cleaner(rules["zh"], "zh", Forms("letters", False), {"valid": 0, "test": 0}, 1)(raw).to_pylist()
    assert repeated([records], rules=rules["zh"]) == []
    kept, _, _ = sifted(records, [])
    assert [record["id"] for record in kept] == [f"{n}" for n in range(5)]
    assert ["".join(record["text"].split()) for record in kept] == ["".join(text.split()) for text in texts]
    assert {len(record["text"].split("\n")) for record in kept} == {2 if separator in "\r\n" else 1}


def test_rows_of_a_shard_are_read_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [decision(f"{n:02d}", 0, n, "too short") for n in range(25)]
    monkeypatch.setattr("discobench.parquet.ROWS", 10)
    write_parquet(tmp_path / "duplicates.parquet", rows, "duplicate")
    for start, stop in ((0, 0), (0, 25), (3, 7), (9, 11), (5, 25), (20, 21)):
        assert list(rows_between(tmp_path / "duplicates.parquet", start, stop)) == rows[start:stop]
