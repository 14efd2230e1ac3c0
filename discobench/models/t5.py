"""T5, English or Chinese."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import T5ForConditionalGeneration

from discobench.models.base import Family, Learner, Settings
from discobench.models.learners.codec import Codec, Frame
from discobench.models.learners.loading import pretrained, sizes, tokenizer_of, write_drawn, write_tokenizer
from discobench.models.learners.seq2seq import Seq2SeqLearner

POSITIONS = 1024
"""Relative positions have no end; this bounds lengths that no task asks for."""


class T5(Family):
    """Writes."""

    name = "t5"
    formulations = frozenset({"text", "rank"})

    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """A T5 with as many layers in the encoder as in the decoder."""
        codec, size = Codec(write_tokenizer(folder, texts, architecture, "bart")), sizes(architecture)
        config = {
            "vocab_size": len(codec.tokenizer),
            "d_model": size["hidden"],
            "d_kv": size["hidden"] // size["heads"],
            "d_ff": size["intermediate"],
            "num_layers": size["layers"],
            "num_heads": size["heads"],
            "pad_token_id": codec.pad,
            "eos_token_id": codec.end,
            "decoder_start_token_id": codec.pad,
        }
        write_drawn(T5ForConditionalGeneration, folder, seed, **config)

    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """Source and target end with the end token; BERT-style vocabularies begin the source too."""
        model, codec = pretrained(T5ForConditionalGeneration, folder, settings, seed), Codec(tokenizer_of(folder))
        ends, start = (codec.end,), model.config.decoder_start_token_id
        return Seq2SeqLearner(model, codec, codec, Frame(codec.begin, ends, (), ends, start), settings, POSITIONS)
