"""Models that write: what encoder-decoders and causal models share in learning and decoding text."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import GenerationConfig

from discobench.errors import DiscoError
from discobench.formulations import LogLikelihood, Prediction, TextExample
from discobench.models.base import Decoding, Learner, Settings
from discobench.models.learners.codec import Codec, Frame
from discobench.models.learners.search import Reader, Search, searched
from discobench.models.learners.tokens import IGNORED, in_batches, quiet


@dataclass(frozen=True, slots=True)
class Text:
    """A framed source and target (empty when not needed); ``cut`` when one of them was."""

    id: str
    source: list[int]
    target: list[int]
    cut: bool


class WritingLearner(Learner):
    """Cross entropy on the target, forced decoding, beam search, and sampling with ``generate``.

    Sources and targets are each cut at their ends to ``max_length`` tokens or to ``room``.
    """

    kind = Text
    model: Any

    def __init__(self, model: Any, source: Codec, target: Codec, frame: Frame, settings: Settings, room: int) -> None:
        self.model, self.codec, self.target_codec, self.frame = model, source, target, frame
        self.room = min(settings.max_length, room)
        self.counts: Counter[str] = Counter()
        # What is not set here would be filled from the checkpoint, whose defaults are another model's.
        self.model.generation_config = GenerationConfig()

    @abstractmethod
    def logits(self, encoded: Sequence[Text]) -> tuple[Tensor, Tensor]:
        """Logits [batch, n, vocabulary] and the labels [batch, n] they predict (IGNORED elsewhere)."""

    @abstractmethod
    def generate(self, sources: list[list[int]], config: GenerationConfig) -> list[list[int]]:
        """The ids that follow each source, in order, up to whatever fills the batch."""

    @abstractmethod
    def reader(self, sources: list[list[int]]) -> Reader:
        """The model with these sources, for a search."""

    @abstractmethod
    def longest(self) -> int:
        """How many tokens the positions leave for an output."""

    def facts(self) -> dict[str, float]:
        """Counts of what was encoded and cut."""
        return dict(self.counts)

    def encode(self, example: TextExample) -> Text:  # type: ignore[override]
        """Source and target; raises DiscoError when the target is unknown."""
        if example.target is None:
            raise DiscoError(f"record {example.id!r} has no target to learn from; give it one.")
        ids = self.target_codec.ids(example.target)
        goal = self.frame.target(ids, self.room)
        encoded = self._source(example, goal)
        self.counts["examples"] += 1
        short = len(goal) < len(self.frame.target(ids, len(ids) + 9))
        self.counts["sources cut"] += encoded.cut
        self.counts["targets cut"] += short
        return replace(encoded, cut=encoded.cut or short)

    def _source(self, example: TextExample, goal: list[int]) -> Text:
        ids = self.codec.ids(example.source)
        source = self.frame.source(ids, self.room)
        return Text(example.id, source, goal, len(source) < len(self.frame.source(ids, len(ids) + 9)))

    def length(self, encoded: Text) -> int:
        """Tokens of source and target together."""
        return len(encoded.source) + len(encoded.target)

    def weight(self, encoded: Text) -> float:
        """Tokens of the target."""
        return float(len(encoded.target))

    def loss(self, encoded: Sequence[Text]) -> Tensor:
        """Mean cross entropy over the target tokens of the batch."""
        logits, labels = self.logits(encoded)
        return cross_entropy(logits.flatten(0, 1).float(), labels.flatten(), ignore_index=IGNORED)

    def log_likelihood(
        self,
        examples: Sequence[TextExample],  # type: ignore[override]
        decoding: Decoding,
    ) -> list[LogLikelihood]:
        """log p(target and its end | source) by forced decoding, target special tokens included."""
        encoded = [self.encode(example) for example in examples]
        lengths = [self.length(item) for item in encoded]
        with quiet(self.model):
            totals = in_batches(encoded, lengths, decoding.batch_tokens, self._totals)
        return [LogLikelihood(e.id, total, len(e.target), e.cut) for e, total in zip(encoded, totals, strict=True)]

    def _totals(self, encoded: list[Text]) -> list[float]:
        logits, labels = self.logits(encoded)
        losses = cross_entropy(logits.transpose(1, 2).double(), labels, ignore_index=IGNORED, reduction="none")
        return [float(-total) for total in losses.sum(dim=1)]

    def predict(self, examples: Sequence[TextExample], decoding: Decoding) -> list[Prediction]:  # type: ignore[override]
        """One text per example: ``empty`` when nothing but blanks came, ``too_long`` when the source was cut."""
        encoded = [self._source(example, []) for example in examples]
        lengths = [len(item.source) for item in encoded]
        torch.manual_seed(decoding.seed)
        with quiet(self.model):
            written = in_batches(encoded, lengths, decoding.batch_tokens, lambda batch: self._write(batch, decoding))
        return [self._prediction(item, ids) for item, ids in zip(encoded, written, strict=True)]

    def _write(self, encoded: list[Text], decoding: Decoding) -> list[list[int]]:
        sources = [item.source for item in encoded]
        if decoding.sample:
            return self.generate(sources, self.generation(decoding))
        forced, never = list(self.frame.target_begin), tuple(self.target_codec.never)
        least, most = decoding.min_new_tokens + len(forced), self._most(decoding)
        how = Search(decoding.beam, most, least, self.target_codec.end, never)
        return searched(self.reader(sources), forced, len(sources), how)

    def _most(self, decoding: Decoding) -> int:
        wanted = decoding.max_new_tokens + len(self.frame.target_begin)
        return max(1, min(wanted, self.longest()))

    def generation(self, decoding: Decoding) -> GenerationConfig:
        """What ``generate`` needs to know of ``decoding``."""
        begun = len(self.frame.target_begin)
        return GenerationConfig(
            num_beams=1 if decoding.sample else decoding.beam,
            do_sample=decoding.sample,
            top_p=decoding.top_p if decoding.sample else None,
            temperature=decoding.temperature if decoding.sample else None,
            max_new_tokens=self._most(decoding),
            min_new_tokens=decoding.min_new_tokens + begun,
            decoder_start_token_id=self.frame.start,
            forced_bos_token_id=self.frame.target_begin[0] if begun else None,
            eos_token_id=self.target_codec.end,
            pad_token_id=self.target_codec.pad,
            suppress_tokens=self.target_codec.never or None,
        )

    def _prediction(self, encoded: Text, ids: list[int]) -> Prediction:
        begun = len(self.frame.target_begin)
        ended = self.target_codec.end in ids[begun:]
        count = ids.index(self.target_codec.end, begun) if ended else len(ids)
        text = self.target_codec.text(ids[:count])
        status = "too_long" if encoded.cut else "ok" if text.strip() else "empty"
        return Prediction(encoded.id, text, status, {"tokens": count - begun, "ended": int(ended)})

    def save(self, folder: Path) -> None:
        """The model in its own format with its tokenizer."""
        folder.mkdir(parents=True, exist_ok=True)
        self.model.save_pretrained(folder)
        self.codec.tokenizer.save_pretrained(folder)
