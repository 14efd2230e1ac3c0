"""Where a job computes: on the GPU that it asked for, or on the CPU, never on the other in silence."""

import torch

from discobench.errors import DiscoError


def device(gpus: int) -> torch.device:
    """The device of a job that was given ``gpus`` GPUs (0: the CPU).

    Raises DiscoError when the GPU is not there, or when more are asked for than one process uses.
    """
    if gpus == 0:
        return torch.device("cpu")
    if gpus > 1:
        raise DiscoError(f"hardware.gpus is {gpus} but a job uses one GPU; set hardware.gpus to 1 (or 0 for the CPU).")
    if not torch.cuda.is_available():
        raise DiscoError("hardware.gpus is 1 but torch sees no GPU here; set hardware.gpus to 0 or run where one is.")
    return torch.device("cuda", 0)
