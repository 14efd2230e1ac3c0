"""The models of a run: size and shape as found, beside what the paper prints (Tables 6 and 15)."""

from collections.abc import Iterable, Mapping
from typing import Any

SHAPE = ("vocabulary", "layers", "heads")


def model_lines(manifests: Iterable[Mapping[str, Any]], paper: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A line per manifest; ``parameters`` and each part of the shape are (found, printed)."""
    return [_line(manifest, paper[manifest["checkpoint"]]) for manifest in manifests]


def _line(manifest: Mapping[str, Any], printed: Mapping[str, Any]) -> dict[str, Any]:
    named = {name: manifest[name] for name in ("checkpoint", "family", "source")}
    shape = {name: (manifest["shape"].get(name), printed[name]) for name in SHAPE}
    count = f"{manifest['parameters']:,}" if manifest["parameters"] else None
    return named | {"parameters": (count, printed["parameters"])} | shape
