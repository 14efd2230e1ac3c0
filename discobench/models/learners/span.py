"""Spans: start and end of an answer among the characters of a context, read in windows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from discobench.formulations import Prediction, SpanExample
from discobench.models.base import Decoding, Settings
from discobench.models.learners.reading import CONTEXT, FOCUS, QUESTION, Backbone, Input, ReadingLearner
from discobench.models.learners.tokens import in_batches, quiet, window_starts

IMPOSSIBLE = -1e4
"""Logit of a position that cannot be an answer: finite, so that zero times it is zero."""
CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Window:
    """Part of a context with the question before it; ``answers`` are (first, last) positions in it."""

    input: Input
    first: int
    offset: int
    count: int
    answers: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate answer in code points of the context; ``score`` is relative to "no answer"."""

    score: float
    start: int = field(compare=False)
    end: int = field(compare=False)


class SpanLearner(ReadingLearner):
    """Start and end scores per character; position 0 stands for "no answer in this window".

    Windows overlap by half. The question takes at most half of the room and is cut at its end.
    """

    kind = list[Window]

    def __init__(self, backbone: Backbone, tokenizer: Any, settings: Settings, folder: Path, seed: int) -> None:
        super().__init__(backbone, tokenizer, settings, folder, seed, classes=2)

    def encode(self, example: SpanExample) -> list[Window]:  # type: ignore[override]
        """The windows of one example."""
        windows = list(self._windows(example))
        self.counts["examples"] += 1
        self.counts["windows"] += len(windows)
        self.counts["answers"] += len(example.answers)
        lost = [a for a in example.answers if not any(_inside(a, w) for w in windows)]
        self.counts["answers in no window"] += len(lost)
        return windows

    def _windows(self, example: SpanExample) -> Iterable[Window]:
        question = self.characters.ids(example.question)[: self.room // 2]
        head = [self.first, *question, self.last]
        size = self.room - len(head) - 1
        ids, roles = self.characters.ids(example.context), _roles(example)
        for offset in window_starts(len(ids), size):
            piece = ids[offset : offset + size]
            window = Window(
                Input(
                    [*head, *piece, self.last],
                    [QUESTION] * len(head) + roles[offset : offset + size] + [CONTEXT],
                ),
                len(head),
                offset,
                len(piece),
            )
            yield _answered(window, example.answers)

    def length(self, encoded: list[Window]) -> int:
        """Tokens of all windows together."""
        return sum(len(window.input.ids) for window in encoded)

    def weight(self, encoded: list[Window]) -> float:
        """Number of windows."""
        return float(len(encoded))

    def loss(self, encoded: Sequence[list[Window]]) -> Tensor:
        """Cross entropy of starts and ends, every gold span sharing the probability evenly."""
        windows = [window for item in encoded for window in item]
        logs = torch.log_softmax(self._logits(windows), dim=1)
        targets = torch.zeros_like(logs)
        for row, window in enumerate(windows):
            for edge in (0, 1):
                for answer in window.answers or ((0, 0),):
                    targets[row, answer[edge], edge] += 1 / max(len(window.answers), 1)
        return -(logs * targets).sum(dim=1).mean()

    def _logits(self, windows: Sequence[Window]) -> Tensor:
        """Start and end logits [windows, n, 2]."""
        logits: Tensor = self.model.head(self.model.hidden([w.input for w in windows], self.pad)).float()
        allowed = torch.zeros(logits.shape[:2], dtype=torch.bool)
        allowed[:, 0] = True
        for row, window in enumerate(windows):
            allowed[row, window.first : window.first + window.count] = True
        return logits.masked_fill(~allowed.to(logits.device)[:, :, None], IMPOSSIBLE)

    def predict(self, examples: Sequence[SpanExample], decoding: Decoding) -> list[Prediction]:  # type: ignore[override]
        """The best answers' texts; an empty list for an empty context only: every question has an answer.

        An answer has at most ``max_answer`` code points or is the focus. Further answers are given whose score is by
        less than ``span_margin`` below the best one's.
        """
        pieces = [(n, window) for n, example in enumerate(examples) for window in self._windows(example)]
        windows = [window for _, window in pieces]
        lengths = [len(window.input.ids) for window in windows]

        def candidates(some: list[Window]) -> list[list[Found]]:
            logits = self._logits(some).cpu()
            return [_best(window, own, decoding.max_answer) for window, own in zip(some, logits, strict=True)]

        with quiet(self.model):
            found = in_batches(windows, lengths, decoding.batch_tokens, candidates)
        merged: list[list[Found]] = [[] for _ in examples]
        for (n, _), some in zip(pieces, found, strict=True):
            merged[n] += some
        answers = zip(examples, merged, strict=True)
        return [_answer(example, spans, decoding.span_margin) for example, spans in answers]


def _best(window: Window, logits: Tensor, longest: int) -> list[Found]:
    """The best answers by ``logits`` [n, 2] of starts and ends."""
    inner = logits[window.first : window.first + window.count]
    if not window.count:
        return []
    scores = inner[:, 0, None] + inner[None, :, 1] - logits[0].sum()
    band = torch.ones_like(scores, dtype=torch.bool).triu().tril(longest - 1)
    focus = [n for n in range(window.count) if window.input.roles[window.first + n] == FOCUS]
    if focus:
        band[focus[0], focus[-1]] = True
    scores = scores.masked_fill(~band, IMPOSSIBLE)
    values, places = scores.flatten().topk(min(CANDIDATES, scores.numel()))
    rows, columns = places // window.count + window.offset, places % window.count + window.offset
    return [Found(*item) for item in zip(values.tolist(), rows.tolist(), (columns + 1).tolist(), strict=True)]


def _answer(example: SpanExample, found: list[Found], margin: float) -> Prediction:
    ranked = sorted(found, key=lambda f: (-f.score, f.start, f.end))
    if not ranked:
        return Prediction(example.id, [], "empty", {})
    best = ranked[0]
    chosen = [best]
    for other in ranked[1:]:
        apart = all(other.end <= f.start or f.end <= other.start for f in chosen)
        if apart and best.score - other.score < margin:
            chosen.append(other)
    texts = dict.fromkeys(example.context[f.start : f.end] for f in chosen)
    return Prediction(example.id, list(texts), "ok", {"score": round(best.score, 4), "start": best.start})


def _roles(example: SpanExample) -> list[int]:
    start, end = example.focus
    return [FOCUS if start <= n < end else CONTEXT for n in range(len(example.context))]


def _inside(answer: tuple[int, int], window: Window) -> bool:
    return window.offset <= answer[0] and answer[1] <= window.offset + window.count


def _answered(window: Window, answers: Iterable[tuple[int, int]]) -> Window:
    shift = window.first - window.offset
    inner = tuple((start + shift, end - 1 + shift) for start, end in answers if _inside((start, end), window))
    return Window(window.input, window.first, window.offset, window.count, inner)
