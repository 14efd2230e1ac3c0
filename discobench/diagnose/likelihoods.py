"""Log-probabilities of candidates under a fine-tuned model of any family (imports torch)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from discobench.decode.run import loaded
from discobench.formulations import Example, LogLikelihood
from discobench.models.base import Decoding, Family, Toolkit


def log_likelihoods(
    family: Family,
    folder: Path,
    manifest: Mapping[str, Any],
    examples: Sequence[Example],
    decoding: Decoding,
    device: torch.device,
) -> list[LogLikelihood]:
    """One per example, in input order; ``manifest`` is what fine-tuning wrote into ``folder``."""
    if isinstance(family, Toolkit):
        return family.log_likelihood(folder, examples, decoding)
    return loaded(family, folder, manifest, device).log_likelihood(examples, decoding)
