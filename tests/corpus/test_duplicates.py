"""Exact and near duplicates: found, the same whatever the shards and buckets, and as well as datasketch finds them."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from datasketch import MinHash, MinHashLSH
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.duplicates import EXACT, NEAR, decide
from discobench.corpus.matches import Entries, entries
from discobench.corpus.rules import Rules
from discobench.corpus.signatures import band_keys, band_rows, ngram_hashes, signatures
from discobench.parquet import write_parquet
from discobench.schema import schema

Make = Callable[..., dict[str, Any]]
Repeated = Callable[..., list[tuple[str, int, int, str | None, str]]]


def story(seed: int, length: int = 600) -> str:
    rng = Random(seed)
    return "".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(length))


def records(texts: dict[str, str], make: Make) -> list[dict[str, Any]]:
    return [make(text, name, sentence_offsets=[]) for name, text in texts.items()]


def short(rows: list[tuple[str, int, int, str | None, str]]) -> list[tuple[str, str | None, str]]:
    return [(name, kept, reason) for name, _, _, kept, reason in rows]


def near(text: str) -> str:
    return text[:300] + "雨" + text[300:]


def test_the_longest_is_kept_and_of_copies_the_first(document: Make, repeated: Repeated) -> None:
    first = story(1)
    marked = f"“{first[:9]}”，{first[9:]}"
    texts = {"d": first, "a": marked, "b": near(first), "c": story(2), "e": first[:150] + story(3)}
    assert short(repeated([records(texts, document)])) == [
        ("d", "b", "near duplicate"),
        ("a", "b", "exact duplicate"),
    ]
    del texts["b"]
    assert short(repeated([records(texts, document)])) == [("a", "d", "exact duplicate")]


def test_what_fails_a_filter_stands_for_nothing(document: Make, repeated: Repeated) -> None:
    first = story(1)
    texts = {"a": near(first), "b": first, "c": first, "d": first, "e": story(2)}
    rows = repeated([records(texts, document)], failing=["a", "b"])
    assert short(rows) == [("a", None, "empty"), ("b", None, "empty"), ("d", "c", "exact duplicate")]
    rows = repeated([records(texts, document)], failing=["b"])
    assert short(rows)[1:] == [("c", "a", "near duplicate"), ("d", "a", "exact duplicate")]
    assert [name for name, *_ in repeated([records(texts, document)], failing=texts)] == list(texts)


def test_a_chain_does_not_drop_its_far_end(document: Make, repeated: Repeated) -> None:
    whole = story(5, 1000)
    texts = {f"{n}": whole[n * 70 : n * 70 + 600] for n in range(4)}
    dropped = short(repeated([records(texts, document)], threshold=0.7))
    kept = set(texts) - {name for name, _, _ in dropped}
    assert dropped
    assert len(kept) > 1
    assert all(name in kept for _, name, _ in dropped)


def test_short_texts_only_match_themselves(document: Make, repeated: Repeated) -> None:
    texts = {"a": "雨", "b": "雪", "c": "雨。", "d": ""}
    assert short(repeated([records(texts, document)])) == [("c", "a", "exact duplicate")]


@pytest.mark.parametrize(("shards", "buckets"), [(1, 7), (3, 1), (3, 2), (7, 5)])
def test_shards_and_buckets_change_nothing(document: Make, repeated: Repeated, shards: int, buckets: int) -> None:
    rng = Random(3)
    stories = [story(n) for n in range(9)]
    texts = {f"{n:02d}": near(stories[rng.randrange(9)])[rng.randrange(30) :] for n in range(60)}
    all_records = records(texts, document)
    size = -(-60 // shards)
    parts = [all_records[start : start + size] for start in range(0, 60, size)]
    expected = repeated([all_records], failing=["07", "13"])
    assert len(expected) > 40
    assert repeated(parts, buckets, failing=["07", "13"]) == expected


def test_a_crowd_that_shares_a_key_costs_no_square(document: Make, repeated: Repeated) -> None:
    """Of 300 texts that differ in one character each is held against few, and one is left."""
    base = story(1)
    texts = {f"{n:03d}": base[:n] + "雨" + base[n + 1 :] for n in range(300)}
    assert len(repeated([records(texts, document)])) == 299


def test_chapters_of_long_documents_are_compared_alone(
    document: Make, repeated: Repeated, rules: dict[str, Rules]
) -> None:
    one, two, three = (f"第{n}章 {n}\n{story(n)}\n" for n in (1, 2, 3))
    chapter = story(2)
    books = {"a": one + two, "b": chapter, "c": "序。\n" + two + three + "番外\n", "d": story(3)[:599]}
    rows = repeated([records(books, document)], rules=rules["zh"])
    whole = len(books["c"])
    last = len("序。\n" + two)
    assert rows == [
        ("b", 0, 600, "a", "exact duplicate"),
        ("c", 3, last, "a", "exact duplicate"),
        ("d", 0, 599, "c", "near duplicate"),
    ]
    assert books["c"][last:whole].startswith("第3章")


@given(st.lists(st.text("雨雪ab", max_size=12), max_size=5), st.integers(1, 6))
def test_every_ngram_of_a_text_and_none_across_texts(texts: list[str], n: int) -> None:
    hashes, bounds = ngram_hashes(texts, n)
    for number, text in enumerate(texts):
        padded = text.ljust(n, "\0")
        grams = {padded[place : place + n] for place in range(len(padded) - n + 1)}
        own = hashes[bounds[number] : bounds[number + 1]]
        assert len(own) == len(padded) - n + 1
        assert len(set(own.tolist())) == len(grams)


def test_signatures_estimate_jaccard() -> None:
    first, second = story(1, 2000), story(1, 2000)[:1600] + story(2, 400)
    found = signatures([first, second], 128, 5)
    one, two = (set(ngram_hashes([text], 5)[0].tolist()) for text in (first, second))
    assert abs(np.mean(found[0] == found[1]) - len(one & two) / len(one | two)) < 0.12


def test_bands_find_pairs_at_the_threshold() -> None:
    size = band_rows(128, 0.8)
    assert 1 - (1 - 0.8**size) ** (128 // size) >= 0.99
    assert 1 - (1 - 0.8 ** (size + 1)) ** (128 // (size + 1)) < 0.99


def test_equal_bands_have_keys_of_their_own() -> None:
    found = np.zeros((1, 128), np.uint8)
    keys = band_keys(found, np.zeros((1, 32), np.uint8), 8)
    assert keys.shape == (1, 17)
    assert len(np.unique(keys)) == 17


@pytest.mark.parametrize("buckets", [1, 3, 128])
def test_every_key_is_in_one_bucket(tmp_path: Path, buckets: int) -> None:
    """The first and the last that there are among them, and those at the edges."""
    edges = [bucket * 2**64 // buckets for bucket in range(buckets)]
    keys = sorted({0, 2**64 - 1, *edges, *(edge - 1 for edge in edges if edge)})
    rows = [{"key": key, "part": part} for key in keys for part in (0, 1)]
    write_parquet(tmp_path / "bands.parquet", rows, "band")
    found = [entries([tmp_path / "bands.parquet"], [0], bucket, buckets) for bucket in range(buckets)]
    assert [key for one in found for key in one.keys.tolist()] == [row["key"] for row in rows]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 40)), max_size=40, unique=True), st.integers(2, 9))
def test_pieces_keep_what_shares_a_key_together(pairs: list[tuple[int, int]], most: int) -> None:
    keys, numbers = (np.array([pair[place] for pair in sorted(pairs)]) for place in (0, 1))
    pieces = list(Entries(keys.astype(np.uint64), numbers).pieces(most))
    for key in set(keys.tolist()):
        own = [piece.numbers[piece.keys == key].tolist() for piece in pieces if key in piece.keys]
        together = numbers[keys == key].tolist()
        assert len(own) == 1 or len(together) > most
        assert [number for part in own for number in part[1:]] == together[1:]
        assert {part[0] for part in own} == {together[0]}
    assert all(len(piece.keys) <= most for piece in pieces)


def test_a_bucket_in_pieces_decides_the_same(document: Make, repeated: Repeated) -> None:
    """And copies have one original even where a key must be cut."""
    stories = [story(n) for n in range(5)]
    texts = {f"{n:02d}": (near if n % 3 else str)(stories[n % 5]) for n in range(40)}
    expected = repeated([records(texts, document)])
    assert len(expected) == 35
    assert repeated([records(texts, document)], most=30) == expected
    exact = [row for row in expected if row[-1] == "exact duplicate"]
    assert [row for row in repeated([records(texts, document)], most=7) if row[-1] == "exact duplicate"] == exact


PAIRS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] < pair[1]), max_size=30)


@given(PAIRS, st.lists(st.integers(0, 1), min_size=12, max_size=12), st.integers(1, 3))
def test_decisions_are_those_of_one_who_goes_down_the_ranks(
    pairs: list[tuple[int, int]], failing: list[int], files: int
) -> None:
    """Parts numbered by rank, taken one after the other: each stays unless one that stays is near it."""
    rows = [{"first": a, "second": b, "exact": False, "similarity": 0.9} for a, b in sorted(pairs)]
    tables = [pa.Table.from_pylist(rows[n::files], schema=schema("match")) for n in range(files)]
    codes, kept = decide(np.array(failing, np.uint8), lambda: tables).of(0, 12)
    stays: set[int] = set()
    for part in range(12):
        above = sorted(a for a, b in pairs if b == part and a in stays)
        expected = (1, None) if failing[part] else (NEAR, above[0]) if above else (0, part)
        stays |= {part} if expected[0] == 0 else set()
        assert codes[part] == expected[0]
        assert expected[1] in (None, kept[part])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.data())
def test_of_copies_the_first_that_passes_stays(groups: list[int], data: st.DataObject) -> None:
    failing = data.draw(st.lists(st.integers(0, 1), min_size=len(groups), max_size=len(groups)))
    firsts = [groups.index(group) for group in groups]
    rows = [{"first": a, "second": b, "exact": True, "similarity": 1.0} for b, a in enumerate(firsts) if a != b]
    table = pa.Table.from_pylist(rows, schema=schema("match"))
    codes, kept = decide(np.array(failing, np.uint8), lambda: [table]).of(0, len(groups))
    for part, group in enumerate(groups):
        passing = [n for n, other in enumerate(groups) if other == group and not failing[n]]
        expected = 1 if failing[part] else 0 if part == passing[0] else EXACT
        assert codes[part] == expected
        assert failing[part] or kept[part] == passing[0]


def changed(text: str, rng: Random) -> str:
    """The text with single characters replaced: more of them the more the two differ."""
    letters = list(text)
    for place in rng.sample(range(len(letters)), rng.randrange(1, 40)):
        letters[place] = chr(0x4E00 + rng.randrange(3000))
    return "".join(letters)


@pytest.mark.slow
def test_near_duplicates_are_found_as_datasketch_finds_them(document: Make, repeated: Repeated) -> None:
    """Pairs of known similarity at a threshold of 0.7: recall at 0.7–0.8 not below datasketch's, precision 0.95."""
    rng = Random(11)
    texts: dict[str, str] = {}
    for n in range(400):
        base = story(1000 + n)
        texts |= {f"{n:03d}a": base, f"{n:03d}b": changed(base, rng)}
    grams = {name: {text[k : k + 5] for k in range(len(text) - 4)} for name, text in texts.items()}
    twins = [(f"{n:03d}a", f"{n:03d}b") for n in range(400)]
    similar = {pair: len(grams[pair[0]] & grams[pair[1]]) / len(grams[pair[0]] | grams[pair[1]]) for pair in twins}
    ours = {(min(pair), max(pair)) for *pair, _ in short(repeated([records(texts, document)], threshold=0.7))}
    theirs = found_by_datasketch(grams, 0.7)
    wanted = {pair for pair, value in similar.items() if 0.7 <= value < 0.8}
    assert len(wanted) > 40
    assert len(ours & wanted) >= len(theirs & wanted)
    assert len(ours & wanted) / len(wanted) > 0.7
    assert sum(similar.get(pair, 0) >= 0.7 for pair in ours) / len(ours) >= 0.95


def found_by_datasketch(grams: dict[str, set[str]], threshold: float) -> set[tuple[str, str]]:
    index = MinHashLSH(threshold=threshold, num_perm=128)
    sketches = {}
    for name, own in grams.items():
        sketches[name] = MinHash(num_perm=128)
        sketches[name].update_batch([gram.encode("utf-8") for gram in own])
        index.insert(name, sketches[name])
    return {pair for name in grams for pair in combinations(sorted(index.query(sketches[name])), 2)}
