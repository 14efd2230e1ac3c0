"""Decoding with a fine-tuned model of any family."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from discobench.formulations import Example, Prediction
from discobench.models.base import Decoding, Family, Learner, Settings, Toolkit


def decode(
    family: Family,
    folder: Path,
    manifest: Mapping[str, Any],
    examples: Sequence[Example],
    decoding: Decoding,
    device: torch.device,
) -> list[Prediction]:
    """One prediction per example, in input order; ``manifest`` is what fine-tuning wrote into ``folder``."""
    if isinstance(family, Toolkit):
        return family.predict(folder, examples, decoding)
    return loaded(family, folder, manifest, device).predict(examples, decoding)


def loaded(family: Family, folder: Path, manifest: Mapping[str, Any], device: torch.device) -> Learner:
    """The fine-tuned learner in ``folder``, on ``device``."""
    saved = dict(manifest["settings"])
    learner = family.learner(folder, Settings(**saved | {"forms": tuple(saved["forms"])}), manifest["seed"])
    learner.model.to(device).eval()
    return learner
