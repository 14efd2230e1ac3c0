"""A fine-tuned model of any family, ready to answer and to rank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from discobench.formulations import Example, LogLikelihood, Prediction
from discobench.models.base import Decoding, Family, Learner, Settings, Toolkit


@dataclass(frozen=True)
class Program:
    """A family's own program with the folder of the model that it runs."""

    toolkit: Toolkit
    folder: Path

    def predict(self, examples: Sequence[Example], decoding: Decoding) -> list[Prediction]:
        """One prediction per example, in input order."""
        return self.toolkit.predict(self.folder, examples, decoding)

    def log_likelihood(self, examples: Sequence[Example], decoding: Decoding) -> list[LogLikelihood]:
        """log p(answer | rest) of each example, in input order."""
        return self.toolkit.log_likelihood(self.folder, examples, decoding)


def fine_tuned(
    family: Family, folder: Path, manifest: Mapping[str, Any], device: torch.device, precision: str = "fp32"
) -> Learner | Program:
    """The model in ``folder``, on ``device``; ``manifest`` is what fine-tuning wrote there.

    Its weights are in ``precision`` where that is bf16 and the device computes in it, else in fp32. Of a family's own
    program they are in fp32.
    """
    if isinstance(family, Toolkit):
        return Program(family, folder)
    saved = dict(manifest["settings"])
    learner = family.learner(folder, Settings(**saved | {"forms": tuple(saved["forms"])}), manifest["seed"])
    learner.model.to(device, torch.bfloat16 if precision == "bf16" and computes_bf16(device) else None).eval()
    return learner


def computes_bf16(device: torch.device) -> bool:
    """Whether a GPU has units for bf16; on a CPU it would only lose digits."""
    return device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
