"""Models whose weights, gradients and optimizer are shared out among processes: FSDP2 (torch's ``fully_shard``).

Each layer is put together when it is its turn. Gradients are summed, not averaged: the parts of a batch have weights.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.utils._pytree import tree_map

from discobench import ranks


class Shards:
    """``model``, shared out in place onto ``device``; ``whole`` is a copy on the host of the first process alone."""

    def __init__(self, model: nn.Module, device: torch.device) -> None:
        self.model = model
        self.whole = None if ranks.rank() else deepcopy(model).cpu()
        mesh = init_device_mesh(device.type, (ranks.world(),))
        for part in (*_layers(model), model):
            fully_shard(part, mesh=mesh)
        for module in model.modules():
            if isinstance(module, FSDPModule):
                module.set_gradient_divide_factor(1.0)
                module.set_force_sum_reduction_for_comms(True)

    def gather(self) -> None:
        """Put the weights as they are into ``whole``; all processes call this."""
        targets = self.whole.state_dict() if self.whole else {}
        for name, tensor in self.model.state_dict().items():
            full = _full(tensor)
            if self.whole:
                targets[name].copy_(full)

    def gathered(self, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
        """The state of an optimizer as that of a single process is; all processes call this."""
        found: dict[str, Any] = tree_map(lambda leaf: _full(leaf, True), optimizer.state_dict())
        return found

    def scattered(self, memory: dict[str, Any], optimizer: torch.optim.Optimizer) -> dict[str, Any]:
        """The inverse of ``gathered``: each process cuts out what belongs to its part of the parameters."""
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        state = {
            number: {name: _like(value, parameters[number]) for name, value in kept.items()}
            for number, kept in memory["state"].items()
        }
        return memory | {"state": state}


def _layers(model: nn.Module) -> Iterator[nn.Module]:
    """The entries of the outermost lists of modules: what transformers calls layers or blocks."""
    for child in model.children():
        yield from child if isinstance(child, nn.ModuleList) else _layers(child)


def _full(leaf: Any, on_host: bool = False) -> Any:
    if not isinstance(leaf, DTensor):
        return leaf
    return leaf.full_tensor().cpu() if on_host else leaf.full_tensor()


def _like(value: Any, parameter: nn.Parameter) -> Any:
    if not isinstance(parameter, DTensor) or value.shape != parameter.shape:
        return value
    here = value.to(parameter.device)
    return distribute_tensor(here, parameter.device_mesh, parameter.placements, src_data_rank=None)
