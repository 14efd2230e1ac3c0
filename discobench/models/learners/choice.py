"""Choice: one sequence per choice, or several where its passage is read in windows, scored by their summary states."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from discobench.errors import DiscoError
from discobench.formulations import ChoiceExample, LogLikelihood, Prediction
from discobench.models.base import Decoding, Settings
from discobench.models.learners.reading import CONTEXT, FOCUS, QUESTION, Backbone, Input, ReadingLearner
from discobench.models.learners.tokens import in_batches, quiet, window_starts


@dataclass(frozen=True, slots=True)
class Choices:
    """Inputs choice by choice, ``windows`` for each; ``answer`` is the index of the right choice.

    ``cut`` when the passage was.
    """

    id: str
    inputs: list[Input]
    answer: int | None
    cut: bool
    windows: int = 1


class ChoiceLearner(ReadingLearner):
    """``[CLS] question choice [SEP] passage [SEP]``; question and choice together take at most half of the room.

    They are cut at their ends. So is a passage that is too long for what they leave, but with the option ``passages``
    "windows": then it is read in windows that overlap by half, and a choice counts by its best one.
    """

    kind = Choices

    def __init__(self, backbone: Backbone, tokenizer: Any, settings: Settings, folder: Path, seed: int) -> None:
        super().__init__(backbone, tokenizer, settings, folder, seed, classes=1)

    def encode(self, example: ChoiceExample) -> Choices:  # type: ignore[override]
        """One sequence per choice."""
        encoded = self._encode(example)
        self.counts["examples"] += 1
        self.counts["passages cut"] += encoded.cut
        self.counts["passages in windows"] += encoded.windows > 1
        return encoded

    def _encode(self, example: ChoiceExample) -> Choices:
        passage, question = self._ids(example.passage), self._ids(example.question)
        pairs = [self._pair(question, self._ids(choice)) for choice in example.choices]
        rooms = [self.room - len(pair.ids) - 1 for pair in pairs]
        if self.settings.options.get("passages") == "windows":
            starts, room = window_starts(len(passage), min(rooms)), min(rooms)
            inputs = [self._input(pair, passage[start : start + room]) for pair in pairs for start in starts]
            return Choices(example.id, inputs, example.answer, False, len(starts))
        inputs = [self._input(pair, passage[:room]) for pair, room in zip(pairs, rooms, strict=True)]
        return Choices(example.id, inputs, example.answer, len(passage) > min(rooms))

    def _pair(self, question: list[int], choice: list[int]) -> Input:
        choice = choice[: self.room // 4]
        question = question[: self.room // 2 - len(choice)]
        roles = [QUESTION] * (1 + len(question)) + [FOCUS] * len(choice) + [QUESTION]
        return Input([self.first, *question, *choice, self.last], roles)

    def _input(self, pair: Input, passage: list[int]) -> Input:
        return Input([*pair.ids, *passage, self.last], [*pair.roles, *[CONTEXT] * (len(passage) + 1)])

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def length(self, encoded: Choices) -> int:
        """Padded tokens of all choices together."""
        return len(encoded.inputs) * max(len(item.ids) for item in encoded.inputs)

    def loss(self, encoded: Sequence[Choices]) -> Tensor:
        """Mean cross entropy of the right choices; raises DiscoError where there is none."""
        unknown = [item.id for item in encoded if item.answer is None]
        if unknown:
            raise DiscoError(f"record {unknown[0]!r} has no answer to train on; give `answer` an index.")
        return -self._gold(encoded).mean()

    def _logs(self, encoded: Sequence[Choices]) -> Tensor:
        """Log-probabilities [batch, most choices]; -inf where a record has fewer."""
        scores = self.model.head(self.model.summary([i for e in encoded for i in e.inputs], self.pad)).float()[:, 0]
        parts = scores.split([len(item.inputs) for item in encoded])
        best = [part.view(-1, item.windows).amax(dim=1) for item, part in zip(encoded, parts, strict=True)]
        return torch.log_softmax(pad_sequence(best, batch_first=True, padding_value=-torch.inf), dim=-1)

    def _gold(self, encoded: Sequence[Choices]) -> Tensor:
        logs = self._logs(encoded)
        return logs[torch.arange(len(encoded)), torch.tensor([item.answer for item in encoded])]

    def predict(self, examples: Sequence[ChoiceExample], decoding: Decoding) -> list[Prediction]:  # type: ignore[override]
        """The index of the most probable choice; ``too_long`` when the passage was cut."""
        encoded = [self._encode(example) for example in examples]
        with quiet(self.model):
            logs = self._batched(encoded, decoding, self._logs)
        return [
            Prediction(
                e.id, int(row.argmax()), "too_long" if e.cut else "ok", {"log_probability": round(float(row.max()), 4)}
            )
            for e, row in zip(encoded, logs, strict=True)
        ]

    def log_likelihood(
        self,
        examples: Sequence[ChoiceExample],  # type: ignore[override]
        decoding: Decoding,
    ) -> list[LogLikelihood]:
        """log p(right choice | passage, question, choices), one "token" each."""
        encoded = [self._encode(example) for example in examples]
        with quiet(self.model):
            gold = self._batched(encoded, decoding, self._gold)
        return [LogLikelihood(e.id, float(value), 1, bool(e.cut)) for e, value in zip(encoded, gold, strict=True)]

    def _batched(self, encoded: list[Choices], decoding: Decoding, function: Any) -> list[Tensor]:
        lengths = [self.length(item) for item in encoded]
        return in_batches(encoded, lengths, decoding.batch_tokens, lambda batch: list(function(batch).cpu()))
