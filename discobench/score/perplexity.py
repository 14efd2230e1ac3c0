"""Perplexity of predictions under a causal language model; torch is imported where a model is loaded."""

from collections.abc import Sequence
from itertools import accumulate, groupby
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from discobench.progress import told
from discobench.score.items import Item
from discobench.score.measure import Additive, Array, Counts, Options
from discobench.score.tools import OWN, named

BATCH_TOKENS = 4096


def perplexity(folder: Path, label: str, device: Any) -> Additive:
    """The measure exp(-log-likelihood per token) under the checkpoint in ``folder``.

    A text is scored from the model's start token to its end token, the end included, so that an
    empty prediction counts too. Longer texts are cut into windows that do not overlap.
    """
    model = CausalModel(folder, device)
    tools = f"{named('transformers')}|{OWN}"
    signature = f"ppl|model:{label}|per:token of the model|window:{model.window}|{tools}"

    def count(items: Sequence[Item], options: Options) -> Counts:
        table = model.losses([item.prediction for item in items])
        return Counts(table, [item.id for item in items], signature)

    return Additive(count, per_token)


def per_token(sums: Array) -> float:
    """Perplexity of summed losses in nats and numbers of tokens."""
    return exp(sums[0] / sums[1])


class CausalModel:
    """A causal language model read from a folder, for scoring only."""

    def __init__(self, folder: Path, device: Any) -> None:
        """Load model and tokenizer; both come from the folder alone."""
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        self.model = AutoModelForCausalLM.from_pretrained(str(folder), local_files_only=True).to(device).eval()
        self.device = device
        self.window = int(self.model.config.max_position_embeddings) - 1
        self.start = _first(self.tokenizer.bos_token_id, self.tokenizer.cls_token_id, self.tokenizer.eos_token_id)
        self.end = _first(self.tokenizer.eos_token_id, self.tokenizer.sep_token_id, self.start)

    def losses(self, texts: Sequence[str]) -> Array:
        """Negative log-likelihood in nats and number of tokens of each text, shape [texts, 2]."""
        windows = [(n, window) for n, text in enumerate(texts) for window in self._windows(text)]
        windows.sort(key=lambda pair: len(pair[1]))
        table = np.zeros((len(texts), 2))
        for batch in told(_batches(windows), "perplexity", "windows", len(windows), len):
            sums = self._batch([window for _, window in batch])
            for (n, window), loss in zip(batch, sums, strict=True):
                table[n] += loss, len(window) - 1
        return table

    def _windows(self, text: str) -> list[list[int]]:
        ids = [*self.tokenizer(text, add_special_tokens=False)["input_ids"], self.end]
        return [[self.start, *ids[i : i + self.window]] for i in range(0, len(ids), self.window)]

    def _batch(self, windows: Sequence[Sequence[int]]) -> list[float]:
        """Summed losses; padding on the right changes nothing to its left in a causal model."""
        import torch

        width = max(map(len, windows))
        ids = torch.tensor([[*w, *[self.end] * (width - len(w))] for w in windows], device=self.device)
        real = torch.tensor([[i < len(w) for i in range(width)] for w in windows], device=self.device)
        with torch.inference_mode():
            scores = self.model(input_ids=ids, attention_mask=real.long()).logits[:, :-1].float()
        target = ids[:, 1:]
        chances = torch.log_softmax(scores, dim=-1).gather(-1, target[..., None]).squeeze(-1)
        return [float(x) for x in -(chances * real[:, 1:]).sum(dim=1)]


def _first(*candidates: int | None) -> int:
    return next(token for token in candidates if token is not None)


def _batches(windows: Sequence[tuple[int, list[int]]]) -> list[list[tuple[int, list[int]]]]:
    """Neighbours in order of length, at most BATCH_TOKENS tokens a batch."""
    ends = accumulate(len(window) for _, window in windows)
    numbered = zip(ends, windows, strict=True)
    return [[pair for _, pair in batch] for _, batch in groupby(numbered, key=lambda x: x[0] // BATCH_TOKENS)]
