"""Text by an encoder and a decoder: BART, mBART, T5, and encoders with a decoder of their own."""

from collections.abc import Sequence
from typing import Any

from torch import Tensor
from transformers import GenerationConfig

from discobench.models.base import Settings
from discobench.models.learners.codec import Codec, Frame
from discobench.models.learners.search import Reader
from discobench.models.learners.search_readers import PairReader
from discobench.models.learners.tokens import IGNORED, device_of, mask_of, padded
from discobench.models.learners.writing import Text, WritingLearner


class Seq2SeqLearner(WritingLearner):
    """Any model that takes ``input_ids`` and ``decoder_input_ids`` and gives logits."""

    def __init__(self, model: Any, source: Codec, target: Codec, frame: Frame, settings: Settings, room: int) -> None:
        super().__init__(model, source, target, frame, settings, room)
        self._positions = room

    def logits(self, encoded: Sequence[Text]) -> tuple[Tensor, Tensor]:
        """The decoder reads the start token and the target shifted by one."""
        device = device_of(self.model)
        sources, goals = [item.source for item in encoded], [item.target for item in encoded]
        shifted = [[self._start, *goal[:-1]] for goal in goals]
        output = self.model(
            input_ids=padded(sources, self.codec.pad, device),
            attention_mask=mask_of(sources, device),
            decoder_input_ids=padded(shifted, self.target_codec.pad, device),
            use_cache=False,
        )
        return output.logits, padded(goals, IGNORED, device)

    @property
    def _start(self) -> int:
        assert self.frame.start is not None
        return self.frame.start

    def longest(self) -> int:
        """All positions of the decoder but the start token's."""
        return self._positions - 1

    def reader(self, sources: list[list[int]]) -> Reader:
        """Encoder and decoder; the decoder begins as in training."""
        device = device_of(self.model)
        begin = [self._start, *self.frame.target_begin]
        return PairReader(self.model, padded(sources, self.codec.pad, device), mask_of(sources, device), begin)

    def generate(self, sources: list[list[int]], config: GenerationConfig) -> list[list[int]]:
        """Outputs without the start token."""
        device = device_of(self.model)
        ids, mask = padded(sources, self.codec.pad, device), mask_of(sources, device)
        output: list[list[int]] = self.model.generate(
            input_ids=ids, attention_mask=mask, generation_config=config
        ).tolist()
        return [row[1:] for row in output]
