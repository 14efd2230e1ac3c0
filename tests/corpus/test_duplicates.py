"""Exact and near duplicates: found, and the same whatever the order."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.duplicates import band_rows, duplicates, ngram_hashes, prints
from discobench.corpus.texts import digest

Make = Callable[..., dict[str, Any]]


def story(seed: int, length: int = 600) -> str:
    rng = Random(seed)
    return "".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(length))


def rows(texts: dict[str, str], make: Make, threshold: float = 0.8) -> list[tuple[str, str, str]]:
    records = [make(text, name, sha256=digest(text)) for name, text in texts.items()]
    found = duplicates(prints(records, 128, 5), 128, threshold)
    return [(row["id"], row["kept"], row["reason"]) for row in found]


def test_the_smallest_id_is_kept(document: Make) -> None:
    first = story(1)
    near = first[:300] + "雨" + first[300:]
    texts = {"d": first, "a": f"“{first[:9]}”，{first[9:]}", "b": near, "c": story(2), "e": first[:150] + story(3)}
    expected = [("b", "a", "near duplicate"), ("d", "a", "exact duplicate")]
    assert rows(texts, document) == expected
    assert rows(dict(reversed(texts.items())), document) == expected


def test_a_chain_does_not_drop_its_far_end(document: Make) -> None:
    whole = story(5, 1000)
    texts = {f"{n}": whole[n * 70 : n * 70 + 600] for n in range(4)}
    dropped = rows(texts, document, 0.7)
    kept = set(texts) - {name for name, _, _ in dropped}
    assert dropped
    assert len(kept) > 1
    assert all(name in kept for _, name, _ in dropped)


def test_short_texts_only_match_themselves(document: Make) -> None:
    assert rows({"a": "雨", "b": "雪", "c": "雨。", "d": ""}, document) == [("c", "a", "exact duplicate")]


@given(st.text(max_size=40), st.integers(1, 6))
def test_one_hash_per_distinct_ngram(text: str, n: int) -> None:
    size = max(1, min(n, len(text)))
    grams = {text[place : place + size] for place in range(len(text) - size + 1)} if text else set()
    assert len(ngram_hashes(text, n)) == len(grams)


def test_signatures_estimate_jaccard(document: Make) -> None:
    first, second = story(1, 2000), story(1, 2000)[:1600] + story(2, 400)
    a, b = prints([document(first, "a", sha256=""), document(second, "b", sha256="")], 128, 5)
    one, two = set(ngram_hashes(first, 5).tolist()), set(ngram_hashes(second, 5).tolist())
    assert abs(np.mean(a.signature == b.signature) - len(one & two) / len(one | two)) < 0.12


def test_bands_find_pairs_at_the_threshold() -> None:
    size = band_rows(128, 0.8)
    assert 1 - (1 - 0.8**size) ** (128 // size) >= 0.99
    assert 1 - (1 - 0.8 ** (size + 1)) ** (128 // (size + 1)) < 0.99
