"""Where a job computes: on the GPUs that it asked for, or on the CPU, never on the other in silence."""

import torch

from discobench.errors import DiscoError


def device(gpus: int) -> torch.device:
    """The device of a job that was given ``gpus`` GPUs (0: the CPU).

    Several are for training (see ``ranks``), where each process has its own as the current one.
    Raises DiscoError when they are not there.
    """
    if gpus == 0:
        return torch.device("cpu")
    found = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if found == 0:
        raise DiscoError("hardware.gpus is 1 but torch sees no GPU here; set hardware.gpus to 0 or run where one is.")
    if found < gpus:
        raise DiscoError(f"training asks for {gpus} GPUs but torch sees {found}; lower the key gpus of the stage.")
    return torch.device("cuda", 0) if gpus == 1 else torch.device("cuda")
