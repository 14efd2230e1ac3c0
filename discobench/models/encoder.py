"""Encoders: BERT, RoBERTa (Chinese, which is BERT's architecture), MengziBERT, AnchiBERT."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor
from transformers import BertConfig, BertForMaskedLM, BertLMHeadModel, BertModel, EncoderDecoderModel

from discobench.errors import DiscoError
from discobench.models.base import Family, Learner, Settings
from discobench.models.learners.codec import Codec, Frame
from discobench.models.learners.loading import (
    pretrained,
    sizes,
    spread,
    tokenizer_of,
    write_drawn,
    write_tokenizer,
)
from discobench.models.learners.readers import reader
from discobench.models.learners.reading import QUESTION
from discobench.models.learners.seq2seq import Seq2SeqLearner
from discobench.models.learners.tokens import drawn

TARGET = "target"
"""Folder, beside the weights, of the vocabulary that the decoder writes with."""


class BertBackbone:
    """BERT without its pooler: the head has its own summary."""

    last = False

    def __init__(self, model: Any) -> None:
        self.model = model
        self.width: int = model.config.hidden_size
        self.spread: float = model.config.initializer_range
        self.positions: int = model.config.max_position_embeddings

    def hidden(self, ids: Tensor, mask: Tensor, roles: Tensor, offset: Tensor) -> Tensor:
        """Hidden states; the question is BERT's first segment, all else its second."""
        embedded = self.model.embeddings.word_embeddings(ids) + offset
        segments = (roles != QUESTION).long() if self.model.config.type_vocab_size > 1 else None
        output = self.model(inputs_embeds=embedded, attention_mask=mask, token_type_ids=segments)
        return output.last_hidden_state  # type: ignore[no-any-return]


class Encoder(Family):
    """Reads with heads; writes with a new decoder behind it, whose vocabulary is learned from targets."""

    name = "encoder"
    formulations = frozenset({"span", "gaps", "choice", "text", "rank"})

    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """A masked language model of BERT's architecture."""
        tokenizer, size = write_tokenizer(folder, texts, architecture, "bart"), sizes(architecture)
        write_drawn(BertForMaskedLM, folder, seed, **_config(size, tokenizer))

    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """A reader, or for ``text`` an encoder-decoder (see ``_writer``)."""
        if settings.formulation == "text":
            return _writer(folder, settings, seed)
        model = pretrained(BertModel, folder, settings, seed, add_pooling_layer=False)
        return reader(BertBackbone(model), tokenizer_of(folder), settings, folder, seed)


def _config(size: dict[str, int], tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": size["hidden"],
        "num_hidden_layers": size["layers"],
        "num_attention_heads": size["heads"],
        "intermediate_size": size["intermediate"],
        "max_position_embeddings": size["positions"],
        "initializer_range": spread(size["hidden"]),
        "pad_token_id": tokenizer.pad_token_id,
    }


class EncoderWriter(Seq2SeqLearner):
    """Saves the decoder's vocabulary too."""

    def save(self, folder: Path) -> None:
        """Weights, the encoder's tokenizer, and the decoder's under ``target``."""
        super().save(folder)
        self.target_codec.tokenizer.save_pretrained(folder / TARGET)


def _writer(folder: Path, settings: Settings, seed: int) -> Learner:
    """An encoder-decoder, saved before or new.

    Options, at fine-tuning: ``targets`` (the training targets, gone through once: the decoder's vocabulary is
    learned from them), ``target_vocabulary`` (8000 tokens), ``decoder_layers`` (as the encoder's, at most 6): keys of
    config.training.Tuning.
    """
    if (folder / TARGET).exists():
        target = Codec(tokenizer_of(folder / TARGET))
        model = EncoderDecoderModel.from_pretrained(folder, dtype=torch.float32, local_files_only=True)
    else:
        target = Codec(_learned(settings))
        encoder = pretrained(BertModel, folder, settings, seed, add_pooling_layer=False)
        with drawn(seed):
            decoder = BertLMHeadModel(_decoder(encoder.config, target, settings))
        model = EncoderDecoderModel(encoder=encoder, decoder=decoder)
    source = Codec(tokenizer_of(folder))
    frame = Frame(source.begin, (source.end,), (), (target.end,), target.begin[0])
    return EncoderWriter(model, source, target, frame, settings, model.config.encoder.max_position_embeddings)


def _learned(settings: Settings) -> Any:
    targets = list(settings.options.get("targets", ()))
    if not targets:
        raise DiscoError("an encoder writes only with a vocabulary learned from targets; give options.targets.")
    sizes = {"vocabulary": settings.options.get("target_vocabulary", 8000), "language": settings.target_language}
    with TemporaryDirectory() as folder:
        return write_tokenizer(Path(folder), targets, sizes, "bart")


def _decoder(encoder: Any, target: Codec, settings: Settings) -> Any:
    """The encoder's configuration with fewer layers, for a decoder that attends to it."""
    layers = int(settings.options.get("decoder_layers") or min(encoder.num_hidden_layers, 6))
    config = BertConfig.from_dict(encoder.to_dict())
    config.vocab_size, config.num_hidden_layers, config.pad_token_id = len(target.tokenizer), layers, target.pad
    config.is_decoder = config.add_cross_attention = True
    return config
