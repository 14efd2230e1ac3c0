"""Packed arrays: what they hold, that words are marked, that no torch is needed."""

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from discobench.corpus.codes import codes
from discobench.corpus.encoders import check_alike, encoder, load_tokenizer
from discobench.corpus.pack import SPLITS, Pack, begins_word, column
from discobench.corpus.words import word_starts
from discobench.errors import DiscoError
from discobench.schema import schema

Make = Callable[..., dict[str, Any]]
TEXTS = ["他们来到了码头，船还没有来。\n𠀀等着。", "She waited at the old harbour, didn't she?", "夜里下雨了。"]
LANGUAGES = ["zh", "en", "zh"]
SEPARATORS = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


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


def table(*records: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(records), schema("document"))


def packed(folder: Path, tables: list[pa.Table]) -> tuple[dict[str, Any], list[dict[int, str]]]:
    paths = [folder / f"{split}.{name}.npy" for split in SPLITS for name in ("tokens", "documents", "words")]
    with Pack(load_tokenizer(folder), paths) as pack:
        reasons = [pack.add(documents) for documents in tables]
    return {path.name.removesuffix(".npy"): np.load(path, mmap_mode="r") for path in paths}, reasons


def three(make: Make) -> list[pa.Table]:
    rows = enumerate(zip(TEXTS, LANGUAGES, strict=True))
    return [table(make(t, source="ab"[n % 2], language=lang, split=SPLITS[n // 2])) for n, (t, lang) in rows]


def documents(arrays: dict[str, Any], split: str, column: str = "tokens") -> list[list[int]]:
    return [arrays[f"{split}.{column}"][a:b].tolist() for a, b in pairwise(arrays[f"{split}.documents"])]


def test_arrays_hold_the_documents(folder: Path, document: Make) -> None:
    arrays, _ = packed(folder, three(document))
    tokenizer = load_tokenizer(folder)
    for name, expected in (("train", TEXTS[:2]), ("valid", TEXTS[2:])):
        assert arrays[f"{name}.tokens"].dtype == np.uint16
        assert documents(arrays, name) == [tokenizer.encode(text).ids for text in expected]


def test_each_word_begins_once(folder: Path) -> None:
    encode = encoder(load_tokenizer(folder))
    for text, language in zip(TEXTS, LANGUAGES, strict=True):
        found = codes([text], "\n")
        marks = begins_word(found, encode([text], found), language)
        assert marks[0]
        assert marks.sum() == word_starts(found, language).sum()


def test_a_batch_packs_as_its_documents_alone(folder: Path, document: Make) -> None:
    texts = ["", *TEXTS, " \n", TEXTS[0][::-1], "\x00他", "\x00", TEXTS[2]]
    records = [document(text, f"g:w:{n}", source="a") for n, text in enumerate(texts)]
    one, reasons = packed(folder, [table(*records)])
    many, each = packed(folder, [table(record) for record in records])
    assert all(np.array_equal(one[name], many[name]) for name in one)
    assert reasons[0] == {n: "no tokens" for n, found in enumerate(each) if found}
    assert 0 in reasons[0]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_line_separators_change_no_count_of_documents(folder: Path, document: Make, separator: str) -> None:
    records = [document(separator.join(TEXTS[:2]), "g:w:0", source="a"), document(TEXTS[2], "g:w:1", source="a")]
    arrays, reasons = packed(folder, [table(*records)])
    tokenizer = load_tokenizer(folder)
    assert documents(arrays, "train") == [tokenizer.encode(record["text"]).ids for record in records]
    assert reasons == [{}]
    words = documents(arrays, "train", "words")
    assert all(marks[0] for marks in words)


def test_large_vocabularies_take_four_bytes(tmp_path: Path, document: Make) -> None:
    tokens = {chr(0x4E00 + n % 20_000) + str(n): n for n in range(1 << 16)} | {"他": 1 << 16}
    tokenizer = Tokenizer(models.WordLevel(tokens, unk_token="他"))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    arrays, _ = packed(tmp_path, [table(document("他", source="a"))])
    assert (arrays["train.tokens"].dtype, arrays["train.tokens"].tolist()) == (np.uint32, [1 << 16])


def test_a_column_is_a_plain_array_and_appears_whole(tmp_path: Path) -> None:
    with column(tmp_path / "c.npy", np.int64) as growing:
        for start in range(0, 9999, 3):
            growing.extend(range(start, start + 3))
        assert not (tmp_path / "c.npy").exists()
    np.save(tmp_path / "plain.npy", np.arange(9999))
    assert (tmp_path / "c.npy").read_bytes() == (tmp_path / "plain.npy").read_bytes()


def test_nothing_is_left_when_packing_fails(folder: Path, document: Make) -> None:
    broken = table(document(TEXTS[0], source="a")).drop(["language"])
    with pytest.raises(KeyError):
        packed(folder, [table(document(TEXTS[0], source="a")), broken])
    assert [path.name for path in folder.iterdir()] == ["tokenizer.json"]


def test_tokenizers_are_alike_by_what_decides_on_ids(folder: Path) -> None:
    one, other = load_tokenizer(folder), load_tokenizer(folder)
    other.enable_padding(length=9)
    check_alike(one, other, "large", "base")
    other.add_tokens(["码头"])
    with pytest.raises(DiscoError, match=r"checkpoints.large.tokenizer: found base, .* \(added_tokens differ\)"):
        check_alike(one, other, "large", "base")


@pytest.mark.torch
def test_a_folder_without_tokenizer_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match=str(tmp_path)):
        load_tokenizer(tmp_path)


def test_no_torch_is_imported() -> None:
    code = "import sys, discobench.corpus.pack, discobench.corpus.contamination; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
