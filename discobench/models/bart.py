"""BART, English (byte-level vocabulary) or Chinese (BERT's vocabulary)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import Tensor
from transformers import BartForConditionalGeneration, BartModel

from discobench.models.base import Family, Learner, Settings
from discobench.models.learners.codec import Codec, Frame
from discobench.models.learners.loading import pretrained, sizes, spread, tokenizer_of, write_drawn, write_tokenizer
from discobench.models.learners.readers import reader
from discobench.models.learners.seq2seq import Seq2SeqLearner


class BartBackbone:
    """BART reading: the whole input goes to the encoder and to the decoder (Lewis et al. 2020, 3).

    The decoder's input is not shifted, so that the state of a token has seen that token.
    """

    last = True

    def __init__(self, model: Any) -> None:
        self.model = model
        self.width: int = model.config.d_model
        self.spread: float = model.config.init_std
        self.positions: int = model.config.max_position_embeddings

    def hidden(self, ids: Tensor, mask: Tensor, roles: Tensor, offset: Tensor) -> Tensor:
        """States of the decoder's top layer."""
        embedded = self.model.shared(ids) + offset
        output = self.model(
            inputs_embeds=embedded,
            attention_mask=mask,
            decoder_inputs_embeds=embedded,
            decoder_attention_mask=mask,
            use_cache=False,
        )
        return output.last_hidden_state  # type: ignore[no-any-return]


class Bart(Family):
    """Reads and writes."""

    name = "bart"
    formulations = frozenset({"span", "gaps", "choice", "text", "rank"})

    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """A BART with as many layers in the encoder as in the decoder."""
        codec = Codec(write_tokenizer(folder, texts, architecture, "bart"))
        write_drawn(BartForConditionalGeneration, folder, seed, **layout(sizes(architecture), codec))

    def learner(self, folder: Path, settings: Settings, seed: int) -> Learner:
        """A reader, or a writer whose targets begin with the beginning token, as BART's pretraining has it."""
        if settings.formulation != "text":
            model = pretrained(BartModel, folder, settings, seed)
            return reader(BartBackbone(model), tokenizer_of(folder), settings, folder, seed)
        model, codec = pretrained(BartForConditionalGeneration, folder, settings, seed), Codec(tokenizer_of(folder))
        ends = (codec.end,)
        frame = Frame(codec.begin, ends, codec.begin, ends, model.config.decoder_start_token_id)
        return Seq2SeqLearner(model, codec, codec, frame, settings, model.config.max_position_embeddings)


def layout(size: dict[str, int], codec: Codec) -> dict[str, Any]:
    """The configuration of a BART or mBART of some size for a vocabulary."""
    parts = {f"{part}_{key}": size[name] for part in ("encoder", "decoder") for key, name in LAYERS}
    return parts | {
        "vocab_size": len(codec.tokenizer),
        "d_model": size["hidden"],
        "max_position_embeddings": size["positions"],
        "init_std": spread(size["hidden"]),
        "pad_token_id": codec.pad,
        "bos_token_id": codec.begin[0],
        "eos_token_id": codec.end,
        "decoder_start_token_id": codec.end,
        "forced_eos_token_id": None,
    }


LAYERS = (("layers", "layers"), ("attention_heads", "heads"), ("ffn_dim", "intermediate"))
