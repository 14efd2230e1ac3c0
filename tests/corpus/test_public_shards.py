"""Real texts through the whole stage, in one shard and in three: the same rows in the same order, the same files."""

import os
from pathlib import Path

import pytest

from discobench.parquet import read_parquet
from tests.corpus.stage import Genre, assert_same, stage, totals

PASSAGES = {
    "zh": "夫作者曰圣，述者曰明。陶铸性情，功在上哲。",
    "en": "a single man in possession of a good fortune, must be in want of a wife",
}


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", "en"])
def test_shards_change_no_byte_of_real_texts(tmp_path: Path, language: str) -> None:
    raw = Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / "corpus"
    genre = Genre(raw, language, (f"{language}_*",), PASSAGES[language], 5_000_000, "file")
    one, three = (stage(genre, tmp_path / f"{shards}", shards) for shards in (1, 3))
    assert_same(one, three, 3, language)
    for step, reason in (("deduplicate", "near duplicate"), ("decontaminate", "test work")):
        assert totals(three, 3, step)[reason] > 0
    assert all(len(read_parquet(three / f"{shard}/decontaminate.parquet", "document")) for shard in range(3))
    (row,) = read_parquet(three / "exposure.parquet", "exposure")
    assert (row["seen"], row["left"]) == (1, 0)
