"""Promises of tokenizers: texts come back, nothing floods with unknowns, the same bytes each time."""

from pathlib import Path
from typing import Any

import pytest

from discobench.errors import DiscoError
from discobench.files import sha256
from discobench.models.tokenizers import KINDS, LANGUAGE_CODES, write_bytelevel, write_wordpiece

pytestmark = [pytest.mark.torch, pytest.mark.slow]
ZH = [
    "他推开门，院子里没有人。",
    "“你怎么才来？”她轻声问。",
    "雨下了一夜，天亮时才停。",
    "《山河志》卷二，开篇说的是北方。",
]
EN = ["He opened the gate, and nobody was in the yard.", "“Why so late?” she asked softly.", "It rained all night."]


def loaded(folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def test_chinese_comes_back_character_by_character(tmp_path: Path) -> None:
    write_wordpiece(tmp_path, ZH * 3, 500)
    tokenizer = loaded(tmp_path)
    for text in ZH:
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        assert "".join(tokenizer.convert_ids_to_tokens(ids)) == text
        assert tokenizer.unk_token_id not in ids
    assert tokenizer("门")["input_ids"] == [tokenizer.cls_token_id, tokenizer.vocab["门"], tokenizer.sep_token_id]


def test_few_unknowns_when_rare_characters_do_not_fit(tmp_path: Path) -> None:
    common = "的一是不了人我在有他这中大来上国" * 200
    write_wordpiece(tmp_path, [common, *ZH], 40)
    ids = loaded(tmp_path)(common + ZH[0], add_special_tokens=False)["input_ids"]
    assert ids.count(1) / len(ids) < 0.01
    assert len(loaded(tmp_path)) == 40


def test_words_of_other_scripts_are_spelt(tmp_path: Path) -> None:
    write_wordpiece(tmp_path, [*ZH, "Hello hello world 2024"], 500)
    tokenizer = loaded(tmp_path)
    assert tokenizer.tokenize("hello，2024 dlrow") == ["hello", "，", "2024", "d", "##l", "##r", "##o", "##w"]


@pytest.mark.parametrize("kind", KINDS)
def test_byte_level_gives_any_text_back(tmp_path: Path, kind: str) -> None:
    write_bytelevel(tmp_path, ZH + EN, 400, kind)
    tokenizer = loaded(tmp_path)
    for text in [*ZH, *EN, "🙂 naïve\u3000𠀀 ½"]:
        ids = tokenizer(text)["input_ids"]
        assert tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False) == text
    assert tokenizer.eos_token_id == KINDS[kind].specials.index(tokenizer.eos_token)
    assert max(tokenizer.get_vocab().values()) < 400


def test_languages_have_tokens(tmp_path: Path) -> None:
    write_bytelevel(tmp_path, EN, 400, "multi")
    assert set(LANGUAGE_CODES) <= set(loaded(tmp_path).all_special_tokens)


@pytest.mark.parametrize("model_type", ["mbart", "bart", "gpt2", "t5"])
def test_the_model_beside_it_does_not_change_a_tokenizer(tmp_path: Path, model_type: str) -> None:
    write_wordpiece(tmp_path, ZH, 300)
    (tmp_path / "config.json").write_text(f'{{"model_type": "{model_type}"}}', encoding="utf-8", newline="\n")
    assert loaded(tmp_path).tokenize("院子") == ["院", "子"]


def test_the_same_texts_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_wordpiece(tmp_path / name / "w", ZH + EN, 300)
        write_bytelevel(tmp_path / name / "b", ZH + EN, 330, "bart")
    for file in ("w/tokenizer.json", "b/tokenizer.json"):
        assert sha256(tmp_path / "a" / file) == sha256(tmp_path / "b" / file)


def test_nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match="no text to learn"):
        write_wordpiece(tmp_path, [" ", ""], 300)
    with pytest.raises(DiscoError, match="at least 257"):
        write_bytelevel(tmp_path, EN, 100, "gpt2")
