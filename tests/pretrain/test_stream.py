"""Promises of the stream: every token once, no chunk of two documents, batches by step alone."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.pretrain.sampler import Sampler, Shuffle
from discobench.pretrain.stream import Stream
from tests.pretrain.packed import write_packed


def stream(folder: Path, documents: list[list[int]], genres: list[int], room: int = 5, shards: int = 1) -> Stream:
    return Stream(write_packed(folder, {"train": (documents, genres)}, ["zh_a", "en_b"], shards=shards), "train", room)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(1, 9), st.integers(1, 4))
def test_chunks_cover_every_document_once(sizes: list[int], room: int, shards: int) -> None:
    import tempfile

    documents = [[100 * n + k for k in range(size)] for n, size in enumerate(sizes)]
    with tempfile.TemporaryDirectory() as folder:
        chunks = stream(Path(folder), documents, [n % 2 for n in range(len(sizes))], room, shards)
        found = [chunks.chunk(n) for n in range(len(chunks))]
    assert sorted(int(t) for c in found for t in c.ids) == sorted(t for d in documents for t in d)
    assert all(len(c.ids) <= room and c.words[0] for c in found)
    assert all(len({int(t) // 100 for t in c.ids}) == 1 for c in found)
    assert sum(c.first for c in found) == sum(c.last for c in found) == len(documents)
    assert [c.genre for c in found] == sorted((c.genre for c in found), reverse=True)
    assert len(found) == chunks.chunks_per_genre().sum()


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(2, 9), st.integers(1, 4))
def test_mixed_rows_are_full_and_hold_every_document_before_its_separator(
    sizes: list[int], room: int, shards: int
) -> None:
    import tempfile

    documents = [[100 * n + k for k in range(size)] for n, size in enumerate(sizes)]
    with tempfile.TemporaryDirectory() as folder:
        splits = {"train": (documents, [n % 2 for n in range(len(sizes))])}
        manifest = write_packed(Path(folder), splits, ["a", "b"], shards=shards)
        chunks = Stream(manifest, "train", room, separator=99_999)
        found = [chunks.chunk(n) for n in range(len(chunks))]
        assert chunks.lengths(np.arange(len(chunks))).tolist() == [len(c.ids) for c in found]
    for genre, first in (("a", 0), ("b", 1)):
        line = [int(t) for c in found if c.genre == genre for t in c.ids]
        assert line == [t for d in documents[first::2] for t in (*d, 99_999)]
        lengths = [len(c.ids) for c in found if c.genre == genre]
        assert not lengths or (max(lengths) <= room and max(lengths) - min(lengths) <= 1)


@given(st.integers(1, 3000), st.integers(0, 5))
def test_a_shuffle_is_a_permutation(size: int, seed: int) -> None:
    found = Shuffle(size, [seed])(np.arange(size))
    assert sorted(found.tolist()) == list(range(size))
    assert size < 20 or (found != np.arange(size)).mean() > 0.5


def ids(sampler: Sampler, step: int) -> list[int]:
    return sampler.chunks(sampler.draws(step)).tolist()


def test_batches_depend_on_the_step_alone(tmp_path: Path) -> None:
    chunks = stream(tmp_path, [[n] * 7 for n in range(50)], [0] * 25 + [1] * 25)
    forward = [ids(Sampler(chunks, {}, 8, "sequences", seed=1), step) for step in range(40)]
    again = Sampler(chunks, {}, 8, "sequences", seed=1)
    assert [ids(again, step) for step in reversed(range(40))] == forward[::-1]
    assert forward[0] != forward[1]
    assert ids(Sampler(chunks, {}, 8, "sequences", seed=2), 0) != forward[0]


@pytest.mark.parametrize("weights", [{}, {"zh_a": 3.0}, {"zh_a": 0.4}])
def test_nothing_is_seen_again_before_all_of_its_genre_is(tmp_path: Path, weights: dict[str, float]) -> None:
    chunks = stream(tmp_path, [[n] * 5 for n in range(100)], [0] * 30 + [1] * 70)
    sampler = Sampler(chunks, weights, 7, "sequences", seed=1)
    counts = np.zeros(100, int)
    for step in range(60):
        for chunk in ids(sampler, step):
            genre = slice(0, 30) if chunk < 30 else slice(30, 100)
            # A pass that ends within a round may be overtaken by the next within that round.
            assert counts[chunk] <= counts[genre].min() + 1
            counts[chunk] += 1
    seen = sampler.seen(60)
    assert {name: line["drawn"] for name, line in seen.items()} == {
        "zh_a": counts[:30].sum(),
        "en_b": counts[30:].sum(),
    }
    assert {name: line["chunks"] for name, line in seen.items()} == {"zh_a": 30, "en_b": 70}


def test_weights_shift_genres_and_tokens_make_a_batch(tmp_path: Path) -> None:
    chunks = stream(tmp_path, [[n] * 5 for n in range(100)], [0] * 50 + [1] * 50)
    drawn = ids(Sampler(chunks, {"zh_a": 3.0}, 4000, "sequences", seed=1), 0)
    assert np.mean(np.array(drawn) < 50) == pytest.approx(0.75, abs=0.03)
    sampler = Sampler(chunks, {}, 42, "tokens", seed=1)
    sizes = [5 * len(sampler.draws(step)) for step in range(100)]
    assert set(sizes) == {40, 45} and sum(sizes) == pytest.approx(4200, abs=5)
    assert len(Sampler(chunks, {}, 2, "tokens", seed=1).draws(5)) == 1


def test_an_empty_stream_is_refused(tmp_path: Path) -> None:
    from discobench.errors import DiscoError

    with pytest.raises(DiscoError, match="no training text"):
        Sampler(stream(tmp_path, [], []), {}, 4, "sequences", seed=1)
