"""What each family learns from a chunk of text: input, decoder input and labels, as plain arrays.

Encoders: masked language model with whole-word masking. BART: restore text whose sentences were
permuted and whose spans of words were masked. mBART: the same with its language tokens. GPT-2:
predict the next token. All end in one cross entropy (see ``program``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobench.errors import DiscoError
from discobench.models.learners.codec import Codec
from discobench.models.learners.tokens import IGNORED
from discobench.models.mbart import CODES
from discobench.pretrain.noise import corrupted, infilled, permuted, whole_words
from discobench.pretrain.sentences import Sentences
from discobench.pretrain.stream import Chunk

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Hiding:
    """A ``share`` of the words is hidden; where spans are, they have ``span`` words on average."""

    share: float
    span: float


@dataclass(frozen=True)
class Restoration:
    """One sequence: what the model reads, what its decoder reads (if it has one), what it must say."""

    inputs: Array
    labels: Array
    decoder: Array | None = None

    @property
    def targets(self) -> int:
        """Labels that count."""
        return int((self.labels != IGNORED).sum())


Objective = Callable[[Chunk, np.random.Generator], Restoration]


class Vocabulary:
    """The special tokens of a checkpoint, and all others."""

    def __init__(self, codec: Codec, start: int | None, languages: dict[str, str]) -> None:
        tokenizer = codec.tokenizer
        self.codec, self.start, self.languages = codec, start, languages
        self.begin, self.end, self.mask = np.array(codec.begin, np.int64), codec.end, tokenizer.mask_token_id
        self.ordinary = np.array(sorted(set(tokenizer.get_vocab().values()) - set(tokenizer.all_special_ids)))

    def needs_mask(self) -> int:
        """Id of the mask; raises DiscoError when there is none."""
        if self.mask is None:
            raise DiscoError("the tokenizer of the base checkpoint has no mask token; choose another checkpoint.")
        return int(self.mask)

    def framed(self, ids: Array, *after: int) -> Array:
        """``ids`` after the beginning token (where there is one) and before ``after``."""
        return np.concatenate([self.begin, ids, np.array(after, np.int64)])


def objective(family: str, vocabulary: Vocabulary, hiding: Hiding) -> Objective:
    """How ``family`` learns. Raises DiscoError for one that cannot."""
    makers: dict[str, Callable[[Vocabulary, Hiding], Objective]] = {
        "encoder": masked,
        "bart": denoising,
        "mbart": multilingual,
        "gpt2": causal,
    }
    if family not in makers:
        raise DiscoError(f"checkpoints of family {family!r} cannot be pretrained; allowed: {', '.join(makers)}.")
    return makers[family](vocabulary, hiding)


def masked(vocabulary: Vocabulary, hiding: Hiding) -> Objective:
    """Predict the tokens of hidden words; what separates documents is not hidden."""
    mask = vocabulary.needs_mask()

    def restore(chunk: Chunk, rng: np.random.Generator) -> Restoration:
        chosen = whole_words(chunk.words, hiding.share, rng) & (chunk.ids != vocabulary.end)
        noisy = corrupted(chunk.ids, chosen, mask, vocabulary.ordinary, rng)
        labels = np.where(chosen, chunk.ids, IGNORED)
        around = np.full(len(vocabulary.begin), IGNORED)
        return Restoration(vocabulary.framed(noisy, vocabulary.end), np.concatenate([around, labels, [IGNORED]]))

    return restore


def denoising(vocabulary: Vocabulary, hiding: Hiding) -> Objective:
    """Write the text again whose sentences moved and whose spans of words are gone."""
    noise = _noise(vocabulary, hiding)

    def restore(chunk: Chunk, rng: np.random.Generator) -> Restoration:
        noisy = noise(chunk, rng)
        target = vocabulary.framed(chunk.ids, vocabulary.end)
        start = vocabulary.end if vocabulary.start is None else vocabulary.start
        return Restoration(vocabulary.framed(noisy, vocabulary.end), target, np.append(start, target[:-1]))

    return restore


def multilingual(vocabulary: Vocabulary, hiding: Hiding) -> Objective:
    """As ``denoising``, in mBART's layout: ``x </s> zh_CN`` becomes ``y </s>`` after ``zh_CN`` (Liu et al. 2020)."""
    tokens = {genre: vocabulary.codec.token(CODES[language]) for genre, language in vocabulary.languages.items()}
    noise = _noise(vocabulary, hiding)

    def restore(chunk: Chunk, rng: np.random.Generator) -> Restoration:
        language, noisy = tokens[chunk.genre], noise(chunk, rng)
        target = np.append(chunk.ids, vocabulary.end)
        return Restoration(np.append(noisy, [vocabulary.end, language]), target, np.append(language, chunk.ids))

    return restore


def causal(vocabulary: Vocabulary, hiding: Hiding) -> Objective:
    """Predict the next token; documents begin and end with their tokens, and nothing is hidden."""

    def restore(chunk: Chunk, rng: np.random.Generator) -> Restoration:
        begin = vocabulary.begin if chunk.first else vocabulary.begin[:0]
        row = np.concatenate([begin, chunk.ids, [vocabulary.end] if chunk.last else []]).astype(np.int64)
        return Restoration(row, np.append(row[1:], IGNORED))

    return restore


def _noise(vocabulary: Vocabulary, hiding: Hiding) -> Callable[[Chunk, np.random.Generator], Array]:
    mask, sentences = vocabulary.needs_mask(), Sentences(vocabulary.codec.tokenizer, vocabulary.ordinary)

    def noisy(chunk: Chunk, rng: np.random.Generator) -> Array:
        moved, words = permuted(chunk.ids, chunk.words, sentences.cuts(chunk.ids), rng)
        return infilled(moved, words, hiding.share, hiding.span, mask, rng)[: len(chunk.ids) + 1]

    return noisy


ROOM = 3
"""Most tokens that an objective adds to a chunk: two special ones and an inserted mask."""


HEADS = {"encoder": "cls"}
"""What makes logits of hidden states, where it is not called ``lm_head``."""


def model_class(family: str) -> Any:
    """The transformers class that ``family`` is pretrained as."""
    import transformers

    names = {
        "encoder": "BertForMaskedLM",
        "bart": "BartForConditionalGeneration",
        "mbart": "MBartForConditionalGeneration",
        "gpt2": "GPT2LMHeadModel",
    }
    return getattr(transformers, names[family])
