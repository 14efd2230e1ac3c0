"""Stage models: families of models, their checkpoints and registries. Free of torch until asked for one."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discobench.models.base import Family

VERSION = 1

# Set before transformers is imported, whatever the environment says: only the rule ``fetch`` may use the network.
os.environ["HF_HUB_OFFLINE"] = "1"


def family(name: str) -> Family:
    """The family called ``name`` (imports torch); raises DiscoError with the nearest known name."""
    from discobench.models.base import Family
    from discobench.registry import load

    return load(sys.modules[__name__], name, Family)  # type: ignore[type-abstract]
