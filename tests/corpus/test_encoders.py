"""Faster ways to token ids: the same ids and ends as the tokenizer's own, on the nastiest of texts."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import rjieba
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from discobench.corpus import encoders
from discobench.corpus.codes import codes
from discobench.corpus.encoders import ByteLengths, CharacterTable, Encoded, Offsets, encoder
from discobench.corpus.texts import WORD
from discobench.corpus.words import word_starts

LEARNED = [
    "他们来到了码头，船还没有来。\n𠀀等着。２０２４年 café",
    "She waited at the old harbour, didn't she? 3.14 αβγ",
]
SPECIALS = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
NASTY = [
    *"他们来到码头船，。“”！？…—·々〇㈠\U00020000\U0002f800\uf900\u2f00\u31c0",
    *"aAbBzZ019-'’_#@[]<>|éÉßİıΣςß한か゛ｶﾞあＡａ０％≮ﬁ",
    *" \t\n\r\u3000\u00a0\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\x00\x07\u200b\u200d\ufeff\ufffd\ue000\U000f0000",
    *"\u0301\u0308\u20dd\u3099😀👩\u200d🦰🇨🇳",
    *["[MASK]", "[SEP]", "<|endoftext|>", "##a", "…………"],
]
TEXT = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from([c for c in NASTY if len(c) == 1])))
TEXTS = st.lists(st.one_of(TEXT, st.lists(st.sampled_from(NASTY), max_size=30).map("".join)), max_size=4)
ALL = ["".join(NASTY), "a".join(NASTY), "他".join(NASTY), "", "\n", "[MASK]"]


def wordpiece(**normalizer: bool) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(**normalizer)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(LEARNED, trainers.WordPieceTrainer(special_tokens=SPECIALS, show_progress=False))
    tokenizer.encode_special_tokens = True
    return tokenizer


def bytelevel() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<|endoftext|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=300, initial_alphabet=alphabet, special_tokens=special, show_progress=False
    )
    tokenizer.train_from_iterator(LEARNED, trainer)
    tokenizer.encode_special_tokens = True
    return tokenizer


def unigram() -> Tokenizer:
    """mBART's kind: pieces by their probability, of a text that is normalised."""
    pieces = ["<unk>", "▁", "▁a", "a", "b", "ab", "天", "地", "天地", "。", "1", "ﬁ"]
    tokenizer = Tokenizer(models.Unigram([(piece, -float(n)) for n, piece in enumerate(pieces)], unk_id=0))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer


TOKENIZERS = {
    "lower case": wordpiece(),
    "as it is": wordpiece(lowercase=False),
    "accents": wordpiece(strip_accents=False),
    "no Han": wordpiece(handle_chinese_chars=False),
    "uncleaned": wordpiece(clean_text=False),
    "bytes": bytelevel(),
    "pieces": unigram(),
}
ENCODERS = {name: encoder(tokenizer) for name, tokenizer in TOKENIZERS.items()}


def of_each(encode: Callable[..., Encoded], texts: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """Ids and ends of each text, ends counted from its start."""
    found = codes(texts, "\n")
    encoded = encode(texts, found)
    parts = zip(encoded.bounds[:-1].tolist(), encoded.bounds[1:].tolist(), found.bounds.tolist(), strict=False)
    return [(encoded.ids[a:b].tolist(), (encoded.ends[a:b] - start).tolist()) for a, b, start in parts]


def expected(tokenizer: Tokenizer, texts: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    encodings = [tokenizer.encode(text, add_special_tokens=False) for text in texts]
    return [(encoding.ids, [end for _, end in encoding.offsets]) for encoding in encodings]


def test_each_tokenizer_has_its_way() -> None:
    kinds = [type(found) for found in ENCODERS.values()]
    assert kinds == [CharacterTable] * 5 + [ByteLengths, Offsets]
    other = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    assert isinstance(encoder(other), Offsets)
    added = wordpiece()
    added.add_tokens(["码头"])
    assert isinstance(encoder(added), Offsets)


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(deadline=None)
@given(texts=TEXTS)
@example(texts=ALL)
def test_a_shorter_way_gives_the_same_tokens(name: str, texts: list[str]) -> None:
    assert of_each(ENCODERS[name], texts) == expected(TOKENIZERS[name], texts)
    assert of_each(Offsets(TOKENIZERS[name]), texts) == expected(TOKENIZERS[name], texts)


def of_unicode(step: int) -> list[str]:
    """Every ``step``-th character, alone, beside others and between letters."""
    characters = [chr(code) for code in [*range(0, 0xD800, step), *range(0xE000, 0x33000, step)]]
    texts = ["".join(characters[start : start + 500]) for start in range(0, len(characters), 500)]
    return [*texts, *map("a".join, texts)]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_many_characters_of_unicode(name: str) -> None:
    texts = of_unicode(step=97)
    assert of_each(ENCODERS[name], texts) == expected(TOKENIZERS[name], texts)


@pytest.mark.slow
def test_every_character_of_unicode() -> None:
    texts = of_unicode(step=1)
    assert of_each(ENCODERS["lower case"], texts) == expected(TOKENIZERS["lower case"], texts)


def test_latin_letters_are_split_as_the_tokenizer_does() -> None:
    frames = ["{0}", "{0}{0}", " {0}", "{0} ", "a{0}a", "1{0}1", "  {0}  {0}", "'{0}'s", ".{0}.", "{0}\n\n{0} \n"]
    texts = ["x".join(frame.format(chr(code)) for code in range(n, 0x2110, 16)) for n in range(16) for frame in frames]
    assert of_each(ENCODERS["bytes"], texts) == expected(TOKENIZERS["bytes"], texts)
    alone = [frame.format(chr(code)) for code in range(0, 0x2110, 11) for frame in frames]
    assert of_each(ENCODERS["bytes"], alone) == expected(TOKENIZERS["bytes"], alone)


def test_what_looks_special_is_text() -> None:
    tokenizer = TOKENIZERS["lower case"]
    ((ids, _),) = of_each(ENCODERS["lower case"], ["[MASK]"])
    assert tokenizer.token_to_id("[MASK]") not in ids


def test_bytes_that_a_vocabulary_lacks_are_left_to_the_tokenizer() -> None:
    tokenizer = Tokenizer(models.BPE({"a": 0, "<unk>": 1}, [], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    assert of_each(encoder(tokenizer), ["aza", "a"]) == expected(tokenizer, ["aza", "a"])


def slow_starts(text: str, language: str) -> list[int]:
    if language == "zh":
        return [start for word, start, _ in rjieba.tokenize(text) if not word.isspace()]
    inside = {place for match in WORD.finditer(text) for place in range(match.start() + 1, match.end())}
    return [n for n, character in enumerate(text) if n not in inside and not character.isspace()]


@pytest.mark.parametrize("language", ["zh", "en"])
@settings(deadline=None)
@given(texts=TEXTS)
@example(texts=ALL)
@example(texts=["a-b--c d'e' -f- it’s_ a-", "'", ""])
def test_words_of_a_batch_begin_where_those_of_each_text_do(language: str, texts: list[str]) -> None:
    found = codes(texts, "\n")
    starts = np.flatnonzero(word_starts(found, language))
    parts = zip(found.bounds[:-1].tolist(), found.bounds[1:].tolist(), texts, strict=True)
    for start, end, text in parts:
        assert (starts[(start <= starts) & (starts < end)] - start).tolist() == slow_starts(text, language)


def test_word_starts() -> None:
    assert np.flatnonzero(word_starts(codes(["他们来到了码头"]), "zh")).tolist() == [0, 2, 4, 5]
    assert np.flatnonzero(word_starts(codes(["She didn't, no."]), "en")).tolist() == [0, 4, 10, 12, 14]
    assert re.fullmatch(WORD, "didn't")


@pytest.mark.parametrize(("name", "kept"), [("as it is", "runs"), ("bytes", "words")])
def test_words_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch, name: str, kept: str) -> None:
    """However many there are, and however long."""
    monkeypatch.setattr(encoders, "CACHED", 200)
    one, text = encoder(TOKENIZERS[name]), [f"a{n} " + "b" * n for n in range(100)]
    for start in range(0, 100, 2):
        assert of_each(one, text[start : start + 2]) == of_each(Offsets(TOKENIZERS[name]), text[start : start + 2])
        assert sum(map(len, getattr(one, kept))) <= 200 + 2 * 110
