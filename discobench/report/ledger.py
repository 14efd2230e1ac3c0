"""What the paper leaves open: question, what it says, our choice, the key, the effect."""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from discobench.config.load import read_as
from discobench.config.strict import Strict

NONE = "none — "
"""What ``key`` begins with where nothing can be turned."""
AS_SHIPPED = "as config.yaml"
SHOWN = 8
"""So many keys that differ are told, and the number of the others."""
Tree = Mapping[str, Any]


class Apart(Strict):
    """Metrics whose values cannot be held against the paper's, and why."""

    metrics: list[str]
    because: str


class Entry(Strict):
    """One open question; ``key`` is one or more configuration keys, or ``none — <why>``."""

    question: str
    paper: str
    choice: str
    key: str
    effect: str
    apart: Apart | None = None

    @property
    def keys(self) -> list[str]:
        """The configuration keys that change the choice."""
        return [] if self.key.startswith(NONE) else [key.strip() for key in self.key.split(",")]


class Ledger(Strict):
    """All of them."""

    entries: list[Entry]


def read_ledger(path: Path) -> list[Entry]:
    """The entries of ledger.yaml; raises DiscoError naming the file and the first faulty key."""
    return read_as(Ledger, path).entries


def choices(entries: Iterable[Entry], here: Tree, shipped: Tree) -> dict[str, str]:
    """Key -> its value in a run, or what differs below it from ``shipped``, which is config.yaml alone.

    Both are whole configurations; ``<name>`` in a key stands for any entry of a registry.
    """
    keys = dict.fromkeys(key for entry in entries for key in entry.keys)
    return {key: _choice(key, here, shipped) for key in keys}


def _choice(key: str, here: Tree, shipped: Tree) -> str:
    found, usual = _leaves(_below(key, here)), _leaves(_below(key, shipped))
    if set(found) == {""}:
        return f"{found['']}{_unlike(found[''], usual.get(''))}"
    changed = [
        f"{name}: {value}{_unlike(value, usual.get(name))}"
        for name, value in found.items()
        if value != usual.get(name, "null")
    ]
    more = f"; and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    return "; ".join(changed[:SHOWN]) + more or AS_SHIPPED


def _unlike(value: str, usual: str | None) -> str:
    return "" if value == usual else f" (config.yaml: {usual or 'nothing'})"


def _below(key: str, tree: Any) -> dict[str, Any]:
    """What a key means: the names that its placeholders stand for -> value; without any, nothing -> value."""
    found = {"": tree}
    for part in key.split("."):
        any_name = part.startswith("<")
        found = {
            _joined(names, name) if any_name else names: value[name]
            for names, value in found.items()
            if isinstance(value, Mapping)
            for name in (value if any_name else [part])
            if name in value
        }
    return found


def _joined(names: str, name: str) -> str:
    return f"{names}.{name}".lstrip(".")


def _leaves(found: Mapping[str, Any]) -> dict[str, str]:
    """Values that are no mappings, as JSON, by the rest of their keys; an empty mapping counts as one."""
    leaves: dict[str, str] = {}
    for names, value in found.items():
        if isinstance(value, Mapping) and value:
            leaves |= _leaves({_joined(names, name): part for name, part in value.items()})
        else:
            leaves[names] = json.dumps(value, ensure_ascii=False)
    return leaves


def reasons(entries: Iterable[Entry], trusted: Collection[str] = ()) -> dict[str, str]:
    """Metric -> why it is not comparable, but for those that are ``trusted`` to be the paper's."""
    apart = [entry.apart for entry in entries if entry.apart]
    return {name: part.because for part in apart for name in part.metrics if name not in trusted}
