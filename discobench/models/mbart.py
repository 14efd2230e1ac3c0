"""mBART (CC25): one model, a token for each language."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import MBartForConditionalGeneration

from discobench.models.bart import layout
from discobench.models.base import Family, Learner, Settings
from discobench.models.learners.codec import Codec, Frame
from discobench.models.learners.loading import pretrained, sizes, tokenizer_of, write_drawn, write_tokenizer
from discobench.models.learners.seq2seq import Seq2SeqLearner

CODES = {"zh": "zh_CN", "en": "en_XX", "ru": "ru_RU", "fr": "fr_XX"}


class MBart(Family):
    """Writes in the language whose token the decoder starts with."""

    name = "mbart"
    formulations = frozenset({"text", "rank"})

    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """An mBART with as many layers in the encoder as in the decoder."""
        codec = Codec(write_tokenizer(folder, texts, architecture, "multi"))
        write_drawn(MBartForConditionalGeneration, folder, seed, **layout(sizes(architecture), codec))

    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """Source ``x </s> zh_CN``, decoder ``en_XX y``, target ``y </s>`` (Liu et al. 2020)."""
        model, codec = pretrained(MBartForConditionalGeneration, folder, settings, seed), Codec(tokenizer_of(folder))
        source, target = (codec.token(CODES[name]) for name in (settings.source_language, settings.target_language))
        frame = Frame((), (codec.end, source), (), (codec.end,), target)
        return Seq2SeqLearner(model, codec, codec, frame, settings, model.config.max_position_embeddings)
