"""Attention as transformers has it, but for two cases that are computed with less."""

from typing import Any

import torch
from torch import Tensor, nn
from transformers.integrations.sdpa_attention import sdpa_attention_forward

BLOCK = 64
"""Queries that are computed together where they look back only."""


def attention(
    module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **how: Any
) -> tuple[Tensor, None]:
    """Attention of ``query`` [rows, heads, tokens, size]; where ``key`` and ``value`` have fewer, beams share them.

    ``mask`` is the same for the beams of a source. Returns [rows, tokens, heads, size].
    """
    if len(query) != len(key):
        return _shared(module, query, key, value, mask, **how)
    if _looks_back(module, query, key, mask, **how):
        return _in_blocks(query, key, value, **how)
    return sdpa_attention_forward(module, query, key, value, mask, **how)  # type: ignore[no-any-return]


def _shared(
    module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, **how: Any
) -> tuple[Tensor, None]:
    beam = len(query) // len(key)
    folded = query.view(len(key), beam, *query.shape[1:]).transpose(1, 2).flatten(2, 3)
    mask = mask if mask is None else mask[::beam]
    found, _ = sdpa_attention_forward(module, folded, key, value, mask, **how | {"is_causal": False})
    return found.unflatten(1, (beam, -1)).flatten(0, 1), None


def _looks_back(module: Any, query: Tensor, key: Tensor, mask: Tensor | None, dropout: float = 0.0, **how: Any) -> bool:
    """Causal attention with dropout on a CPU, where torch has no kernel and computes and draws for what comes later."""
    causal = getattr(module, "is_causal", False) and how.get("is_causal") is not False
    plain = mask is None and how.get("position_bias") is None and query.shape[1:3] == key.shape[1:3]
    return bool(query.device.type == "cpu" and dropout and causal and plain)


def _in_blocks(
    query: Tensor, key: Tensor, value: Tensor, dropout: float = 0.0, scaling: float | None = None, **how: Any
) -> tuple[Tensor, None]:
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    asked, known, values = (query * scale).flatten(0, 1), key.flatten(0, 1).transpose(1, 2), value.flatten(0, 1)
    later = torch.full((BLOCK, BLOCK), -torch.inf, dtype=query.dtype).triu(1)
    found = []
    for start in range(0, query.shape[2], BLOCK):
        end = min(start + BLOCK, query.shape[2])
        scores = torch.bmm(asked[:, start:end], known[:, :, :end])
        scores[:, :, start:] += later[: end - start, : end - start]
        shares = nn.functional.dropout(scores.softmax(dim=-1), dropout)
        found.append(torch.bmm(shares, values[:, :end]))
    return torch.cat(found, dim=1).view(*query.shape[:3], -1).transpose(1, 2).contiguous(), None
