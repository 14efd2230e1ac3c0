"""Gaps: a form, or none, for each place between two characters of a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from discobench.errors import DiscoError
from discobench.formulations import GapsExample, Prediction
from discobench.models.base import Decoding, Settings
from discobench.models.learners.reading import CONTEXT, FOCUS, Backbone, Input, ReadingLearner
from discobench.models.learners.tokens import IGNORED, in_batches, padded, quiet


@dataclass(frozen=True, slots=True)
class Gaps:
    """A text within its context: gap i lies left of position ``first + i``; 0 labels no form."""

    input: Input
    first: int
    count: int
    labels: list[int]


class GapsLearner(ReadingLearner):
    """Labels each gap from the hidden states of the characters left and right of it.

    Context before the text is cut at its left end, context after it at its right end, each to half
    of the room that the text leaves; a text longer than the room is cut at its end (``too_long``).
    """

    kind = Gaps

    def __init__(self, backbone: Backbone, tokenizer: Any, settings: Settings, folder: Path, seed: int) -> None:
        super().__init__(backbone, tokenizer, settings, folder, seed, classes=len(settings.forms) + 1, states=2)
        self.numbers = {form: n for n, form in enumerate(settings.forms, start=1)}

    def encode(self, example: GapsExample) -> Gaps:  # type: ignore[override]
        """One example; raises DiscoError for a label whose form is not among the settings' forms."""
        encoded = self._encode(example)
        for offset, form in example.labels:
            if form not in self.numbers:
                raise DiscoError(f"record {example.id!r} has form {form!r}; known: {', '.join(self.numbers)}.")
            if offset <= encoded.count:
                encoded.labels[offset] = self.numbers[form]
        self.counts["examples"] += 1
        self.counts["labels"] += len(example.labels)
        self.counts["labels cut off"] += sum(offset > encoded.count for offset, _ in example.labels)
        return encoded

    def _encode(self, example: GapsExample) -> Gaps:
        text = self.characters.ids(example.text)[: self.room - 2]
        spare = self.room - 2 - len(text)
        after = self.characters.ids(example.after)
        left = max(spare // 2, spare - len(after))
        before = self.characters.ids(example.before)[-left:] if left else []
        after = after[: spare - len(before)]
        ids = [self.first, *before, *text, *after, self.last]
        roles = [CONTEXT] * (1 + len(before)) + [FOCUS] * len(text) + [CONTEXT] * (1 + len(after))
        return Gaps(Input(ids, roles), 1 + len(before), len(text), [0] * (len(text) + 1))

    def length(self, encoded: Gaps) -> int:
        """Tokens of text and context."""
        return len(encoded.input.ids)

    @property
    def _empty_weight(self) -> float:
        return float(self.settings.options.get("empty_weight", 1.0))

    def weight(self, encoded: Gaps) -> float:
        """Weights of all gaps."""
        labelled = sum(map(bool, encoded.labels))
        return labelled + self._empty_weight * (len(encoded.labels) - labelled)

    def loss(self, encoded: Sequence[Gaps]) -> Tensor:
        """Mean cross entropy over all gaps of the batch, those without a form weighted by ``empty_weight``.

        Few gaps have a form, and labels recovered from translations lack some of them: with a weight
        below 1 a form is predicted although its probability, as labelled, stays below one half.
        """
        logits = self._logits(encoded)
        labels = padded([item.labels for item in encoded], IGNORED, logits.device)
        weights = logits.new_ones(logits.shape[-1])
        weights[0] = self._empty_weight
        return cross_entropy(logits.flatten(0, 1), labels.flatten(), weights, ignore_index=IGNORED)

    def _logits(self, encoded: Sequence[Gaps]) -> Tensor:
        """Logits [batch, most gaps, forms + 1]."""
        states = self.model.hidden([item.input for item in encoded], self.pad)
        right = padded([range(e.first, e.first + e.count + 1) for e in encoded], 1, states.device)
        rows = torch.arange(len(encoded), device=states.device)[:, None]
        pairs = torch.cat([states[rows, right - 1], states[rows, right]], dim=-1)
        return self.model.head(pairs).float()  # type: ignore[no-any-return]

    def predict(self, examples: Sequence[GapsExample], decoding: Decoding) -> list[Prediction]:  # type: ignore[override]
        """The most probable form of each gap that gets one."""
        encoded = [self._encode(example) for example in examples]
        lengths = [self.length(item) for item in encoded]
        with quiet(self.model):
            found = in_batches(encoded, lengths, decoding.batch_tokens, self._forms)
        return [
            Prediction(example.id, value, "ok" if item.count == len(example.text) else "too_long", {})
            for example, item, value in zip(examples, encoded, found, strict=True)
        ]

    def _forms(self, encoded: list[Gaps]) -> list[list[tuple[int, str]]]:
        best = self._logits(encoded).argmax(dim=-1).tolist()
        return [
            [(n, self.settings.forms[label - 1]) for n, label in enumerate(row[: item.count + 1]) if label]
            for item, row in zip(encoded, best, strict=True)
        ]
