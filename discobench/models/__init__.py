"""Stage models: families of models, their checkpoints and registries. Free of torch until asked for one."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discobench.models.base import Family

VERSION = 1

# Set before transformers is imported, whatever the environment says: only the rule ``fetch`` may use the network.
os.environ["HF_HUB_OFFLINE"] = "1"


def families() -> list[str]:
    """Names of all families, found without importing them: modules that declare a class called as they are."""
    found = []
    for module in iter_modules(__path__):
        path = Path(getattr(module.module_finder, "path", "")) / f"{module.name}.py"
        declared = re.compile(rf'^\s+name\b[^=\n]*= *(["\']){module.name}\1', re.MULTILINE)
        if path.is_file() and declared.search(path.read_text("utf-8")):
            found.append(module.name)
    return sorted(found)


def family(name: str) -> Family:
    """The family called ``name`` (imports torch); raises DiscoError with the nearest known name."""
    from discobench.models.base import Family
    from discobench.registry import load

    return load(sys.modules[__name__], name, Family)  # type: ignore[type-abstract]
