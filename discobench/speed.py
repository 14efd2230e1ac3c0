"""How fast training runs: tokens a second, the share of what the GPU could do, and the time that is left."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

SECONDS_BETWEEN_LINES = 10.0
PEAKS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12, "A40": 149.7e12, "V100": 125e12}
"""Operations a second in bf16 (V100: fp16) without sparsity, as NVIDIA's data sheets print them."""
SIZES = (("num_hidden_layers", "n_layer", "encoder_layers"), ("hidden_size", "n_embd", "d_model"))


@dataclass(frozen=True)
class Work:
    """Operations that learning from a token takes: ``base`` for its weights, ``per_token`` for each attended token.

    6 N, and with attention 12 L H more for each token of the sequence (Chowdhery et al. 2022, appendix B).
    """

    base: float
    per_token: float

    def of(self, tokens: int, attended: float) -> tuple[float, float]:
        """Operations of weights and of attention for tokens that attend to ``attended`` each, on average."""
        return self.base * tokens, self.per_token * tokens * attended


def work(model: nn.Module) -> Work:
    """The work of a model; attention counts where its configuration is one that transformers writes."""
    parameters = sum(p.numel() for p in model.parameters())
    config = getattr(model, "config", None)
    layers, width = (_first(config, names) for names in SIZES)
    return Work(6.0 * parameters, 12.0 * layers * width)


class Operations:
    """Those of learning from rows: of the weights (6 N a token), and of attention, 12 H for each pair of tokens.

    Decoders of encoder-decoders attend to themselves and to the encoder, and their tokens go through no weights of the
    encoder; a table of embeddings that both share counts for both.
    """

    def __init__(self, model: Any) -> None:
        self.layers, self.width = (_first(model.config, names) for names in SIZES)
        self.decoder_layers = _first(model.config, ("decoder_layers",))
        sides = [model.get_encoder(), model.get_decoder()] if self.decoder_layers else [model]
        self.sizes = [sum(p.numel() for p in side.parameters()) for side in sides]

    def of(self, inputs: Sequence[int], outputs: Sequence[int] = ()) -> tuple[float, float]:
        """Of rows with so many tokens, and for a decoder so many more."""
        attended = sum(m * (m + n) for n, m in zip(inputs, outputs, strict=False))
        pairs = self.layers * sum(n * n for n in inputs) + self.decoder_layers * attended
        weights = sum(size * sum(row) for size, row in zip(self.sizes, (inputs, outputs), strict=False))
        return 6.0 * weights, 12.0 * self.width * pairs


def _first(config: Any, names: tuple[str, ...]) -> int:
    return next((int(getattr(config, name)) for name in names if getattr(config, name, None)), 0)


def peak(device: torch.device) -> float | None:
    """Most operations a second of one device; None where that is not known."""
    if device.type != "cuda":
        return None
    name = torch.cuda.get_device_name(device)
    return next((value for known, value in PEAKS.items() if known in name), None)


class Speed:
    """Tells step, loss, speed and time left, every few seconds.

    ``peak`` is of all devices together. ``work`` of ``tell`` is the operations of weights and of attention.
    """

    def __init__(self, steps: int, peak: float | None) -> None:
        self.steps, self.peak = steps, peak
        self.since = time.monotonic()
        self.done = self.tokens = 0
        self.weights = self.attention = 0.0

    def tell(
        self, step: int, loss: float, tokens: int, work: tuple[float, float] = (0.0, 0.0)
    ) -> dict[str, float] | None:
        """Count a step; write a line, and return its figures, when it is time for one or when it is the last."""
        self.done += 1
        self.tokens += tokens
        self.weights, self.attention = self.weights + work[0], self.attention + work[1]
        seconds = time.monotonic() - self.since
        if seconds < SECONDS_BETWEEN_LINES and step < self.steps:
            return None
        figures = self._figures(seconds)
        left = (self.steps - step) * seconds / self.done
        clock = (int(left) // 3600, int(left) // 60 % 60, int(left) % 60)
        pace = f"{figures['tokens/s']:.0f} tokens/s, " if self.tokens else ""
        used = f"MFU {100 * figures['mfu']:.1f} % (6N {100 * figures['mfu 6N']:.1f} %), " if "mfu" in figures else ""
        line = "step %d/%d, loss %.4f, %s%s%.2f steps/s, %d:%02d:%02d left"
        logging.info(line, step, self.steps, loss, pace, used, figures["steps/s"], *clock)
        self.since, self.done, self.tokens, self.weights, self.attention = time.monotonic(), 0, 0, 0.0, 0.0
        return figures | {"loss": loss}

    def _figures(self, seconds: float) -> dict[str, float]:
        figures = {"tokens/s": self.tokens / seconds, "steps/s": self.done / seconds}
        if self.peak and self.tokens:
            figures["mfu 6N"] = self.weights / seconds / self.peak
            figures["mfu"] = (self.weights + self.attention) / seconds / self.peak
        return figures
