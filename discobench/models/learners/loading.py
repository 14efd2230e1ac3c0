"""Loading and drawing the pretrained part of a learner."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AttentionInterface
from transformers.activations import GELUTanh, NewGELUActivation
from transformers.utils import logging

from discobench.errors import DiscoError
from discobench.models.base import Settings
from discobench.models.learners.attention import attention
from discobench.models.learners.tokens import drawn
from discobench.models.store import check_checkpoint
from discobench.models.tokenizers import write_bytelevel, write_wordpiece

logging.disable_progress_bar()
AttentionInterface.register("sdpa", attention)  # in the place of transformers' own: no model has to be told

DROPOUT = ("dropout", "dropout_prob", "dropout_rate", "pdrop")
"""How the configurations of the families end the names of their dropout shares."""


def tokenizer_of(folder: Path) -> Any:
    """The tokenizer in ``folder``."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def pretrained(kind: Any, folder: Path, settings: Settings, seed: int, **keywords: Any) -> Any:
    """The model of class ``kind`` in ``folder`` in fp32; what it lacks is drawn from ``seed``.

    ``settings.options["dropout"]`` overrides every dropout share of the configuration.
    Raises DiscoError when the folder's parts do not fit together.
    """
    check_checkpoint(folder)
    config = with_dropout(kind.config_class.from_pretrained(folder, local_files_only=True), settings)
    keywords |= {"config": config, "dtype": torch.float32, "local_files_only": True, "output_loading_info": True}
    with drawn(seed):
        model, found = kind.from_pretrained(folder, **keywords)
    _check_found(model, found["missing_keys"], folder)
    return in_one_pass(model)


def in_one_pass(model: nn.Module) -> nn.Module:
    """``model`` with GELU by tanh as one operation instead of eight; its configuration still names what it had."""
    for module in list(model.modules()):
        for name, child in module.named_children():
            if isinstance(child, NewGELUActivation):
                setattr(module, name, GELUTanh())
    return model


def _check_found(model: Any, missing: Iterable[str], folder: Path) -> None:
    """What has other names in its file is drawn without a word: a few heads may be, a model may not."""
    sizes = {name: weights.numel() for name, weights in model.named_parameters()}
    lost = [name for name in missing if name in sizes]
    if 2 * sum(sizes[name] for name in lost) > sum(sizes.values()):
        raise DiscoError(
            f"{folder} lacks most weights of a {type(model).__name__}, {sorted(lost)[0]} among them; "
            "take weights and config.json from the same checkpoint, of the row's family."
        )


def with_dropout(config: Any, settings: Settings) -> Any:
    """``config`` with the dropout of the settings, where they give one."""
    share = settings.options.get("dropout")
    names = [name for name in vars(config) if name.endswith(DROPOUT)] if share is not None else []
    for name in names:
        setattr(config, name, share)
    return config


def write_tokenizer(folder: Path, texts: Sequence[str], architecture: dict[str, Any], kind: str) -> Any:
    """Learn and write a vocabulary: WordPiece for ``language`` zh, byte-level ``kind`` for others."""
    folder.mkdir(parents=True, exist_ok=True)
    size = int(architecture.get("vocabulary", 2000))
    if architecture.get("language", "zh") == "zh" and kind != "multi":
        write_wordpiece(folder, texts, size)
    else:
        write_bytelevel(folder, texts, size, kind)
    return tokenizer_of(folder)


def write_drawn(kind: Any, folder: Path, seed: int, **config: Any) -> None:
    """Write a model of class ``kind`` whose weights are drawn from ``seed``."""
    with drawn(seed):
        kind(kind.config_class(**config)).save_pretrained(folder)


def sizes(architecture: dict[str, Any]) -> dict[str, int]:
    """Sizes of an architecture: width, layers, heads, inner width and positions, with tiny defaults."""
    hidden = int(architecture.get("hidden", 64))
    return {
        "hidden": hidden,
        "layers": int(architecture.get("layers", 2)),
        "heads": int(architecture.get("heads", 2)),
        "intermediate": int(architecture.get("intermediate", 2 * hidden)),
        "positions": int(architecture.get("positions", 512)),
    }


def spread(width: int) -> float:
    """Standard deviation of new weights: BERT's 0.02 at BERT's width, larger in narrower models.

    Attention scores and outputs then start at the same size whatever the width (Glorot and Bengio 2010).
    """
    return 0.02 * math.sqrt(768 / width)
