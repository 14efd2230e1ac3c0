"""Models as ``search`` asks them: a source is read once, and beams share what is known of it."""

from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput


class PairReader:
    """Encoder and decoder; ``ids`` and ``mask`` [sources, tokens], ``begin`` is what the decoder reads first."""

    def __init__(self, model: Any, ids: Tensor, mask: Tensor, begin: list[int]) -> None:
        self.model, self.ids, self.mask, self.begin = model, ids, mask, begin
        self.cache = EncoderDecoderCache(DynamicCache(), DynamicCache())

    def first(self, beam: int) -> Tensor:
        """See ``search.Reader``."""
        begin = torch.tensor([self.begin], device=self.ids.device).expand(len(self.ids), -1)
        read = {"input_ids": self.ids, "attention_mask": self.mask}
        output = self.model(**read, decoder_input_ids=begin, cache=self.cache, use_cache=True)
        self.cache.batch_repeat_interleave(beam)
        self.mask = self.mask.repeat_interleave(beam, dim=0)
        self.shape = output.encoder_last_hidden_state[:1]
        return output.logits[:, -1]  # type: ignore[no-any-return]

    def follow(self, rows: Tensor, tokens: Tensor) -> Tensor:
        """See ``search.Reader``; what the decoder knows of a source is the same for its beams, so it stays in place."""
        self.cache.self_attention_cache.reorder_cache(rows)
        if len(rows) < len(self.mask):
            self.cache.cross_attention_cache.reorder_cache(rows)
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
        self.cache = DynamicCache()

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
