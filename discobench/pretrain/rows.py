"""Restorations side by side, as tensors for the model: little padding, and logits only where something is predicted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from discobench.models.learners.tokens import IGNORED
from discobench.pretrain.objectives import Restoration

Array = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """Input of a model, and what is to be predicted: ``places`` in its flattened logits, ``targets`` there.

    ``lengths`` are of the inputs and of the decoder's (none where there is no decoder), without padding.
    """

    inputs: dict[str, Tensor]
    places: Tensor
    targets: Tensor
    lengths: tuple[list[int], list[int]]

    def to(self, device: torch.device) -> "Rows":
        """The same on another device."""
        if device.type == "cpu":
            return self
        moved = {name: _moved(tensor, device) for name, tensor in self.inputs.items()}
        return Rows(moved, _moved(self.places, device), _moved(self.targets, device), self.lengths)

    @property
    def tokens(self) -> tuple[int, int]:
        """Real tokens on both sides, and with padding."""
        whole = sum(t.numel() for name, t in self.inputs.items() if name.endswith("input_ids"))
        return sum(map(sum, self.lengths)), whole


def _moved(tensor: Tensor, device: torch.device) -> Tensor:
    return tensor.pin_memory().to(device, non_blocking=True)


def rows(items: Sequence[Restoration], pad: int, causal: bool) -> Rows:
    """Tensors of ``items``. No mask where nothing is padded; ``causal`` models look back only: all is open to them."""
    inputs = {"input_ids": _filled([item.inputs for item in items], pad)}
    decoders = [item.decoder for item in items if item.decoder is not None]
    lengths = [len(item.inputs) for item in items], [len(decoder) for decoder in decoders]
    if causal:
        inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    elif len(set(lengths[0])) > 1:
        inputs["attention_mask"] = _filled([np.ones(length, np.int64) for length in lengths[0]], 0)
    if decoders:
        inputs["decoder_input_ids"] = _filled(decoders, pad)
    labels = _filled([item.labels for item in items], IGNORED).flatten()
    places = torch.nonzero(labels != IGNORED).flatten()
    return Rows(inputs, places, labels[places], lengths)


def _filled(rows: Sequence[Array], value: int) -> Tensor:
    found = np.full((len(rows), max(map(len, rows))), value, np.int64)
    for number, row in enumerate(rows):
        found[number, : len(row)] = row
    return torch.from_numpy(found)


def picks(head: nn.Module) -> nn.Module:
    """Make ``head`` compute logits of the hidden states at ``head.places`` alone.

    A masked language model predicts one token in seven, and the vocabulary is what costs most in small models.
    """
    head.register_forward_pre_hook(_picked)
    return head


def _picked(head: Any, arguments: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    return (arguments[0].flatten(0, 1).index_select(0, head.places), *arguments[1:])
