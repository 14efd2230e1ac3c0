"""Weights in PyTorch's older format, read without running what a pickle may hold, and written as safetensors."""

import logging
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from discobench.errors import DiscoError
from discobench.files import whole
from discobench.models.store import CONVERT, EMBEDDINGS, is_pickled


def convert(source: Path, folder: Path) -> None:
    """Write the weights that lie pickled in ``source`` as ``folder/model.safetensors``.

    Of weights that are one and the same only one is kept, as ``save_pretrained`` does, and of buffers only numbers that
    are learned. Raises DiscoError where a file is broken or holds anything but tensors.
    """
    weights: dict[str, Tensor] = {}
    for path in sorted(path for path in source.iterdir() if is_pickled(path.name)):
        weights |= _tensors(path)
    kept = _once({name: weight for name, weight in weights.items() if weight.is_floating_point()})
    with whole(folder / "model.safetensors") as temporary:
        save_file({name: weight.contiguous() for name, weight in kept.items()}, temporary, {"format": "pt"})
    logging.info("%d pickled weights became safetensors, of which %d are kept", len(weights), len(kept))


def _tensors(path: Path) -> dict[str, Tensor]:
    try:
        found: Any = torch.load(path, map_location="cpu", weights_only=True, mmap=False)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError) as error:
        reason = " ".join(str(error).split())[:160]
        raise DiscoError(f"{path} is broken or holds more than weights ({reason}); {CONVERT}.") from error
    if not isinstance(found, Mapping) or not all(isinstance(weight, Tensor) for weight in found.values()):
        raise DiscoError(f"{path} holds no table of weights; {CONVERT}.")
    return dict(found)


def _once(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """One name of each tensor: that of the embeddings where they are tied to an output, else the first."""
    kept: dict[Any, str] = {}
    for name in sorted(weights, key=lambda name: (not name.endswith(EMBEDDINGS), "embed_tokens" in name)):
        weight = weights[name]
        kept.setdefault((weight.data_ptr(), weight.shape, weight.stride()), name)
    return {name: weights[name] for name in weights if name in set(kept.values())}
