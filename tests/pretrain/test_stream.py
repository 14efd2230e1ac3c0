"""Promises of the stream: every token once, no chunk of two documents, batches by step alone."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.pretrain.stream import Sampler, Stream
from tests.pretrain.packed import write_packed


def stream(folder: Path, documents: list[list[int]], genres: list[int], room: int = 5) -> Stream:
    return Stream(write_packed(folder, {"train": (documents, genres)}, ["zh_a", "en_b"]), "train", room)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(1, 9))
def test_chunks_cover_every_document_once(sizes: list[int], room: int) -> None:
    import tempfile

    documents = [[100 * n + k for k in range(size)] for n, size in enumerate(sizes)]
    with tempfile.TemporaryDirectory() as folder:
        chunks = stream(Path(folder), documents, [n % 2 for n in range(len(sizes))], room)
        found = [chunks.chunk(n) for n in range(len(chunks))]
    assert sorted(int(t) for c in found for t in c.ids) == sorted(t for d in documents for t in d)
    assert all(len(c.ids) <= room and c.words[0] for c in found)
    assert all(len({int(t) // 100 for t in c.ids}) == 1 for c in found)
    assert sum(c.first for c in found) == sum(c.last for c in found) == len(documents)
    assert [c.genre for c in found] == sorted((c.genre for c in found), reverse=True)
    assert len(found) == chunks.chunks_per_genre().sum()


def test_batches_depend_on_the_step_alone(tmp_path: Path) -> None:
    chunks = stream(tmp_path, [[n] * 7 for n in range(50)], [0] * 25 + [1] * 25)
    sampler = Sampler(chunks, {}, 8, "sequences", seed=1)
    forward = [[c.ids.tolist() for c in sampler.draw(step)] for step in range(6)]
    again = Sampler(chunks, {}, 8, "sequences", seed=1)
    assert [[c.ids.tolist() for c in again.draw(step)] for step in reversed(range(6))] == forward[::-1]
    assert forward[0] != forward[1]
    other = Sampler(chunks, {}, 8, "sequences", seed=2)
    assert [c.ids.tolist() for c in other.draw(0)] != forward[0]


def test_weights_shift_genres_and_tokens_bound_a_batch(tmp_path: Path) -> None:
    chunks = stream(tmp_path, [[n] * 5 for n in range(100)], [0] * 50 + [1] * 50)
    drawn = Sampler(chunks, {"zh_a": 3.0}, 4000, "sequences", seed=1).draw(0)
    assert np.mean([c.genre == "zh_a" for c in drawn]) == pytest.approx(0.75, abs=0.03)
    assert sum(len(c.ids) for c in Sampler(chunks, {}, 42, "tokens", seed=1).draw(3)) == 45


def test_an_empty_stream_is_refused(tmp_path: Path) -> None:
    from discobench.errors import DiscoError

    with pytest.raises(DiscoError, match="no training text"):
        Sampler(stream(tmp_path, [], []), {}, 4, "sequences", seed=1)
