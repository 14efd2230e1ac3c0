"""An index of packed shards: sums, digests, and nothing of how many shards there are."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from discobench.corpus.index import read_shards, write_index
from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.pretrain.stream import Stream
from tests.pretrain.packed import write_packed

DOCUMENTS = [[10 * n + k for k in range(n % 4 + 1)] for n in range(9)]
SPLITS = {"train": (DOCUMENTS, [0, 0, 0, 0, 0, 1, 1, 1, 1]), "valid": (DOCUMENTS[:1], [1])}
GENRES = ["zh_novel", "zh_movie", "en_book"]


def test_it_adds_up_and_knows_nothing_of_shards(tmp_path: Path) -> None:
    one, more = (write_packed(tmp_path / str(n), SPLITS, GENRES, shards=n) for n in (1, 4))
    assert one.read_bytes() == more.read_bytes()
    assert (len(read_shards(one)), len(read_shards(more))) == (3, 12)
    facts = read_json(more)
    assert (facts["in"], facts["kept"]) == (10, 10)
    numbers = np.array([token for document in DOCUMENTS for token in document], np.uint32)
    assert facts["notes"]["sha256"]["train.tokens.npy"] == hashlib.sha256(numbers.tobytes()).hexdigest()
    assert [genre["name"] for genre in facts["notes"]["genres"]] == GENRES
    assert facts["notes"]["genres"][0]["documents"] == {"train": 5, "valid": 0}
    assert np.load(more.with_name("train.documents.npy")).tolist() == np.cumsum([0, *map(len, DOCUMENTS)]).tolist()


def test_results_can_be_moved(tmp_path: Path) -> None:
    write_packed(tmp_path / "here", SPLITS, GENRES, shards=2)
    moved = (tmp_path / "here").rename(tmp_path / "there") / "index.balance.json"
    assert Stream(moved, "train", 9).chunk(2).ids.tolist() == DOCUMENTS[2]


def test_a_shard_that_changed_or_is_gone_is_named(tmp_path: Path) -> None:
    manifest = write_packed(tmp_path, SPLITS, GENRES, shards=2)
    shards, outputs = read_shards(manifest), [tmp_path / f"{split}.documents.npy" for split in ("train", "valid")]
    np.save(shards[1].with_name("train.documents.npy"), np.array([0, 3]))
    with pytest.raises(DiscoError, match=r"zh_novel/1/train.documents.npy was cut short or changed"):
        write_index(manifest, shards, outputs)
    shards[0].with_name("train.tokens.npy").unlink()
    with pytest.raises(DiscoError, match=r"zh_novel/0/train.tokens.npy is gone"):
        Stream(manifest, "train", 9)
