"""Text by a causal model: source, separator, target, end; only the target is learned."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor
from transformers import GenerationConfig

from discobench.models.base import Settings
from discobench.models.learners.codec import Codec, Frame
from discobench.models.learners.search import Reader
from discobench.models.learners.search_readers import CausalReader
from discobench.models.learners.tokens import IGNORED, device_of, mask_of, padded
from discobench.models.learners.writing import Text, WritingLearner


class CausalLearner(WritingLearner):
    """A decoder whose end token also separates source from target: no text holds it."""

    def __init__(self, model: Any, codec: Codec, settings: Settings, positions: int) -> None:
        end = (codec.end,)
        # Half of the positions for each, so that source and target always fit together.
        super().__init__(model, codec, codec, Frame(codec.begin, end, (), end), settings, positions // 2)
        self._positions = positions

    def logits(self, encoded: Sequence[Text]) -> tuple[Tensor, Tensor]:
        """Padded on the right: what follows a token does not reach it."""
        device = device_of(self.model)
        rows = [[*item.source, *item.target] for item in encoded]
        labels = [[IGNORED] * len(item.source) + item.target for item in encoded]
        ids = padded(rows, self.codec.pad, device)
        output = self.model(input_ids=ids, attention_mask=mask_of(rows, device), use_cache=False)
        return output.logits[:, :-1], padded(labels, IGNORED, device)[:, 1:]

    def longest(self) -> int:
        """The positions that any source leaves: an output must not depend on its neighbours in a batch."""
        return self._positions - self.room

    def reader(self, sources: list[list[int]]) -> Reader:
        """Padded on the left, as for ``generate``."""
        device = device_of(self.model)
        ids, mask = padded(sources, self.codec.pad, device, left=True), mask_of(sources, device, left=True)
        return CausalReader(self.model, ids, mask)

    def generate(self, sources: list[list[int]], config: GenerationConfig) -> list[list[int]]:
        """Padded on the left, so that outputs follow their sources at once."""
        device = device_of(self.model)
        ids, mask = padded(sources, self.codec.pad, device, left=True), mask_of(sources, device, left=True)
        output = self.model.generate(input_ids=ids, attention_mask=mask, generation_config=config)
        rows: list[list[int]] = output[:, ids.shape[1] :].tolist()
        return rows
