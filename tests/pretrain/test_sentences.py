"""Sentences move whole, with their closing quotation marks, whatever the vocabulary."""

from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError

pytestmark = [pytest.mark.torch, pytest.mark.slow]
ZH = ["“你怎么才来？！”", "她低声说（没有抬头）：‘雨太大了。’", "门外，风停了……"]
EN = ['"Why so late?!"', " She did not look up, “the rain.”", " Then it stopped..."]
SPECIALS = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>"}


def unigram() -> Any:
    """As SentencePiece learns them for mBART: a mark that stands alone has a blank before it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.Unigram())
    made.pre_tokenizer, made.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    given: dict[str, Any] = {"special_tokens": list(SPECIALS.values()), "unk_token": "<unk>", "show_progress": False}
    made.train_from_iterator(["".join(ZH), "".join(EN), ". 。"] * 2, trainers.UnigramTrainer(vocab_size=90, **given))
    return PreTrainedTokenizerFast(tokenizer_object=made, **SPECIALS)


def bytelevel(texts: list[str], folder: Path, size: int) -> Any:
    from transformers import AutoTokenizer

    from discobench.models.tokenizers import write_bytelevel

    write_bytelevel(folder, texts, size, "bart")
    return AutoTokenizer.from_pretrained(folder)


@pytest.fixture(scope="module", params=["unigram", "bytes alone", "joined", "wordpiece"])
def tokenizer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    from transformers import AutoTokenizer

    from discobench.models.tokenizers import write_wordpiece

    folder = tmp_path_factory.mktemp("vocabulary")
    if request.param == "wordpiece":
        write_wordpiece(folder, ZH + EN, 200)
        return AutoTokenizer.from_pretrained(folder)
    makers = {
        "unigram": unigram,
        "bytes alone": lambda: bytelevel(["a"], folder, 261),
        "joined": lambda: bytelevel(['?!"', "?!”", "。’", "...", ".”", ".”"] * 5, folder, 290),
    }
    return makers[request.param]()


def moved(tokenizer: Any, ids: list[int], seed: int) -> list[int]:
    """What BART's encoder reads of a chunk of which nothing is hidden."""
    from discobench.models.learners.codec import Codec
    from discobench.pretrain.objectives import Hiding, Vocabulary, objective
    from discobench.pretrain.stream import Chunk

    vocabulary = Vocabulary(Codec(tokenizer), None, {})
    chunk = Chunk(np.array(ids, np.int64), np.ones(len(ids), bool), "zh", True, True)
    restored = objective("bart", vocabulary, Hiding(0.0, 3.0))(chunk, np.random.default_rng(seed))
    return [int(token) for token in restored.inputs[len(vocabulary.begin) : -1]]


@pytest.mark.parametrize("sentences", [ZH, EN], ids=["zh", "en"])
def test_sentences_move_whole(tokenizer: Any, sentences: list[str]) -> None:
    ids = tokenizer("".join(sentences), add_special_tokens=False)["input_ids"]
    assert tokenizer.unk_token_id not in ids
    lengths = [len(tokenizer("".join(sentences[:n]), add_special_tokens=False)["input_ids"]) for n in range(4)]
    parts = [ids[start:end] for start, end in pairwise(lengths)]
    allowed = {tuple(token for part in order for token in part) for order in permutations(parts)}
    found = {tuple(moved(tokenizer, ids, seed)) for seed in range(30)}
    assert len(found) > 1
    assert found <= allowed, [tokenizer.convert_ids_to_tokens(list(row)) for row in found - allowed]


@given(st.data(), st.integers(0, 1000))
def test_no_token_is_lost(tokenizer: Any, data: st.DataObject, seed: int) -> None:
    """Of rows that are no text, with characters cut in two, too."""
    ids = data.draw(st.lists(st.integers(0, len(tokenizer) - 1), min_size=1, max_size=40))
    assert sorted(moved(tokenizer, ids, seed)) == sorted(ids)


def test_a_vocabulary_without_marks_is_refused(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    from discobench.models.tokenizers import write_wordpiece

    write_wordpiece(tmp_path, ["天地玄黄，宇宙洪荒；"], 50)
    with pytest.raises(DiscoError, match=r"no token that ends a sentence.*choose another base"):
        moved(AutoTokenizer.from_pretrained(tmp_path), [5, 6], 1)
