"""Packed arrays: what they hold, that words are marked, that no torch is needed."""

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from discobench.corpus.pack import COLUMNS, Pack, begins_word, load_tokenizer, word_starts
from discobench.errors import DiscoError

TEXTS = ["他们来到了码头，船还没有来。\n𠀀等着。", "She waited at the old harbour, didn't she?", "夜里下雨了。"]
LANGUAGES = ["zh", "en", "zh"]


@pytest.fixture(params=["wordpiece", "bytes"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "bytes":
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    else:
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer = trainers.WordPieceTrainer(vocab_size=200, special_tokens=["[UNK]"], show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.enable_truncation(2)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def packed(folder: Path, make: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    pack = Pack(load_tokenizer(folder), ["a", "b"], folder)
    for n, (text, language) in enumerate(zip(TEXTS, LANGUAGES, strict=True)):
        split = "valid" if n == 2 else "train"
        assert pack.add(make(text, source="ab"[n % 2], language=language, split=split))[1] is None
    paths = [folder / f"{split}.{column}.npy" for split in ("train", "valid") for column in COLUMNS]
    pack.write(paths)
    return {path.name.removesuffix(".npy"): np.load(path, mmap_mode="r") for path in paths}


def test_arrays_hold_the_documents(folder: Path, document: Callable[..., dict[str, Any]]) -> None:
    arrays = packed(folder, document)
    tokenizer = load_tokenizer(folder)
    for name, expected in (("train", TEXTS[:2]), ("valid", TEXTS[2:])):
        starts, tokens = arrays[f"{name}.documents"], arrays[f"{name}.tokens"]
        assert tokens.dtype == np.uint32
        found = [tokens[a:b].tolist() for a, b in pairwise(starts)]
        assert found == [tokenizer.encode(text).ids for text in expected]
    assert arrays["train.genres"].tolist() == [0, 1]
    assert arrays["valid.genres"].tolist() == [0]


def test_each_word_begins_once(folder: Path, document: Callable[..., dict[str, Any]]) -> None:
    tokenizer = load_tokenizer(folder)
    for text, language in zip(TEXTS, LANGUAGES, strict=True):
        starts = word_starts(text, language)
        marks = begins_word(starts, tokenizer.encode(text).offsets)
        assert marks[0] == 1
        assert marks.sum() == len(starts)


def test_word_starts() -> None:
    assert word_starts("他们来到了码头", "zh").tolist() == [0, 2, 4, 5]
    assert word_starts("She didn't, no.", "en").tolist() == [0, 4, 10, 12, 14]


def test_no_tokens_is_a_reason(folder: Path, document: Callable[..., dict[str, Any]]) -> None:
    pack = Pack(load_tokenizer(folder), ["g"], folder)
    assert pack.add(document(""))[1] == "no tokens"


@pytest.mark.torch
def test_a_folder_without_tokenizer_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=str(tmp_path)):
        load_tokenizer(tmp_path)


def test_no_torch_is_imported() -> None:
    code = "import sys, discobench.corpus.pack, discobench.corpus.contamination; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
