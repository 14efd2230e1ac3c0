"""Vocabularies learned from the texts at hand, for checkpoints that have no hub to come from.

Chinese: BERT's WordPiece, where each Han character is a word. English and multilingual:
byte-level BPE, which has no unknown token. Folders load with ``AutoTokenizer.from_pretrained``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from discobench.errors import DiscoError

WORDPIECE_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LANGUAGE_CODES = ("zh_CN", "en_XX")
SENTENCE = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


@dataclass(frozen=True)
class Kind:
    """A byte-level layout: special tokens in the order of their ids, and what they are for."""

    specials: tuple[str, ...]
    wrapped: bool = False
    roles: dict[str, Any] = field(default_factory=dict)


ROLES = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>", "mask_token": "<mask>"}
END = "<|endoftext|>"
KINDS = {
    "bart": Kind(SENTENCE, True, ROLES | {"cls_token": "<s>", "sep_token": "</s>"}),
    "gpt2": Kind((END,), False, dict.fromkeys(("bos_token", "eos_token", "unk_token", "pad_token"), END)),
    "multi": Kind(SENTENCE + LANGUAGE_CODES, False, ROLES | {"extra_special_tokens": list(LANGUAGE_CODES)}),
}


def write_wordpiece(folder: Path, texts: Sequence[str], vocabulary: int) -> None:
    """Write BERT's tokenizer into ``folder``: Han characters one by one, the rest by word pieces.

    Lower-cases, as the published Chinese BERTs do. Pieces are characters, continuing characters of
    longer words, and frequent whole words, in this order, until ``vocabulary`` tokens (specials
    included) are there. Not by ``WordPieceTrainer``: it breaks ties differently in each process.
    """
    from transformers import BertTokenizer

    _refuse_emptiness(texts)
    words = _words(texts)
    long = Counter({word: n for word, n in words.items() if len(word) > 1})
    characters = _tally((c, n) for word, n in words.items() for c in word)
    tails = _tally((f"##{c}", n) for word, n in long.items() for c in word)
    ranked = (_ranked(counts) for counts in (characters, tails, long))
    tokens = dict.fromkeys(chain(WORDPIECE_SPECIALS, *ranked))
    BertTokenizer(vocab={token: n for n, token in enumerate(list(tokens)[:vocabulary])}).save_pretrained(folder)


def _words(texts: Iterable[str]) -> Counter[str]:
    """Words as BERT sees them before it looks pieces up, with their counts."""
    normalizer, splitter = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    pieces = (splitter.pre_tokenize_str(normalizer.normalize_str(text)) for text in texts)
    return Counter(word for words in pieces for word, _ in words)


def _tally(weighted: Iterable[tuple[str, int]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for token, n in weighted:
        counts[token] += n
    return counts


def _ranked(counts: Counter[str]) -> list[str]:
    """Most frequent first; ties by code point, so that the same texts give the same vocabulary."""
    return sorted(counts, key=lambda token: (-counts[token], token))


def write_bytelevel(folder: Path, texts: Sequence[str], vocabulary: int, kind: str) -> None:
    """Write a byte-level BPE tokenizer into ``folder``.

    ``kind``: ``bart`` wraps texts in ``<s> … </s>``; ``gpt2`` has only ``<|endoftext|>``; ``multi``
    has the sentence tokens and mBART's language codes (``zh_CN``, ``en_XX``) and adds none by itself.
    ``vocabulary`` is in tokens and at least 256 + specials, for every byte has one.
    """
    layout = KINDS[kind]
    least = 256 + len(layout.specials)
    if vocabulary < least:
        raise DiscoError(f"vocabulary {vocabulary} is too small for byte-level BPE; give at least {least}.")
    _refuse_emptiness(texts)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(texts, _bpe_trainer(vocabulary, layout))
    _save_bytelevel(tokenizer, layout, folder)


def _bpe_trainer(vocabulary: int, layout: Kind) -> trainers.BpeTrainer:
    return trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(layout.specials),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )


def _save_bytelevel(tokenizer: Tokenizer, layout: Kind, folder: Path) -> None:
    from transformers import PreTrainedTokenizerFast

    tokenizer.decoder = decoders.ByteLevel()
    if layout.wrapped:
        first, last = ((token, layout.specials.index(token)) for token in ("<s>", "</s>"))
        tokenizer.post_processor = processors.RobertaProcessing(last, first, trim_offsets=False, add_prefix_space=False)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **layout.roles).save_pretrained(folder)


def _refuse_emptiness(texts: Sequence[str]) -> None:
    if not any(text.strip() for text in texts):
        raise DiscoError("there is no text to learn a vocabulary from; check run.tasks and run.genres.")
