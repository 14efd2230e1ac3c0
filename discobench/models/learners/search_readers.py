"""Models as ``search`` asks them: a source is read once, and beams share what is known of it."""

from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache
from transformers.cache_utils import Cache, DynamicLayer
from transformers.modeling_outputs import BaseModelOutput


class BeamLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values [rows, heads, tokens, size] that take a new order and new tokens in one copy instead of two."""

    keys: Tensor
    values: Tensor
    rows: Tensor | None = None

    def reorder_cache(self, beam_idx: Tensor) -> None:
        """Rows that go on, from the next ``update``."""
        self.rows = beam_idx

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Keys and values with those of new tokens."""
        if self.rows is None:
            return super().update(key_states, value_states)  # type: ignore[no-any-return]
        self.keys, self.values = _grown(self.keys, self.rows, key_states), _grown(self.values, self.rows, value_states)
        self.rows = None
        return self.keys, self.values


def _grown(known: Tensor, rows: Tensor, new: Tensor) -> Tensor:
    length = known.shape[2]
    grown = known.new_empty(*new.shape[:2], length + new.shape[2], new.shape[3])
    torch.index_select(known, 0, rows, out=grown[:, :, :length])
    grown[:, :, length:] = new
    return grown


def beam_cache() -> Cache:
    """What a model knows of the tokens that it has read, for a search."""
    return Cache(layer_class_to_replicate=BeamLayer)


class PairReader:
    """Encoder and decoder; ``ids`` and ``mask`` [sources, tokens], ``begin`` is what the decoder reads first."""

    def __init__(self, model: Any, ids: Tensor, mask: Tensor, begin: list[int]) -> None:
        self.model, self.ids, self.mask, self.begin = model, ids, mask, begin
        self.cache = EncoderDecoderCache(beam_cache(), DynamicCache())

    def first(self, beam: int) -> Tensor:
        """See ``search.Reader``."""
        begin = torch.tensor([self.begin], device=self.ids.device).expand(len(self.ids), -1)
        read = {"input_ids": self.ids, "attention_mask": self.mask}
        output = self.model(**read, decoder_input_ids=begin, cache=self.cache, use_cache=True)
        self.cache.self_attention_cache.batch_repeat_interleave(beam)
        self.mask = self.mask.repeat_interleave(beam, dim=0)
        self.beam, self.shape = beam, output.encoder_last_hidden_state[:1]
        return output.logits[:, -1]  # type: ignore[no-any-return]

    def follow(self, rows: Tensor, tokens: Tensor) -> Tensor:
        """See ``search.Reader``; what the decoder knows of a source is there once for its beams."""
        self.cache.self_attention_cache.reorder_cache(rows)
        if len(rows) < len(self.mask):
            self.cache.cross_attention_cache.reorder_cache(rows[:: self.beam] // self.beam)
            self.mask = self.mask[rows]
        # The states of the encoder are in the cache by now: only their shape is looked at.
        states = BaseModelOutput(last_hidden_state=self.shape.expand(len(rows), -1, -1))
        read = {"encoder_outputs": states, "attention_mask": self.mask}
        output = self.model(**read, decoder_input_ids=tokens[:, None], cache=self.cache, use_cache=True)
        return output.logits[:, -1]  # type: ignore[no-any-return]


class CausalReader:
    """A decoder alone; ``ids`` and ``mask`` [sources, tokens] are padded on the left."""

    def __init__(self, model: Any, ids: Tensor, mask: Tensor) -> None:
        self.model, self.ids, self.mask = model, ids, mask
        self.cache = beam_cache()

    def first(self, beam: int) -> Tensor:
        """See ``search.Reader``."""
        logits = self._logits(self.ids, (self.mask.cumsum(dim=1) - 1).clamp(min=0))
        self.cache.batch_repeat_interleave(beam)
        self.mask = self.mask.repeat_interleave(beam, dim=0)
        return logits

    def follow(self, rows: Tensor, tokens: Tensor) -> Tensor:
        """See ``search.Reader``."""
        self.cache.reorder_cache(rows)
        self.mask = torch.cat([self.mask[rows], self.mask.new_ones(len(rows), 1)], dim=1)
        return self._logits(tokens[:, None], self.mask.sum(dim=1, keepdim=True) - 1)

    def _logits(self, ids: Tensor, positions: Tensor) -> Tensor:
        read = {"input_ids": ids, "attention_mask": self.mask, "position_ids": positions}
        return self.model(**read, cache=self.cache, use_cache=True, logits_to_keep=1).logits[:, -1]  # type: ignore[no-any-return]
