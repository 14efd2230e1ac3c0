"""Deletion rules: what may go from a sentence. The language is described in resources/te/rules.yaml."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.synthesis.trees import Node

TYPES = ("adjective", "adverb", "noun", "prepositional", "clause")


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern; an empty field says nothing."""

    name: str
    type: str
    label: tuple[str, ...]
    parent: tuple[str, ...] = ()
    grandparent: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    closed_to: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    host_lacks: tuple[str, ...] = ()
    words: int = 0
    commas: str = "pair"
    through: str = ""
    heads: bool = False

    def matches(self, node: Node) -> bool:
        """Whether all that the rule says is true of ``node``."""
        return node.label in self.label and self._position(node) and self._content(node)

    def _position(self, node: Node) -> bool:
        above = node.parent
        if above is None:
            return False
        siblings, place = above.children, node.index
        edges = (_label(node.sibling(-1), "^"), _label(node.sibling(1), "$"))
        return (
            _one_of(above.label, self.parent)
            and _one_of(_label(above.parent, "^"), self.grandparent)
            and _one_of(edges[0], self.left)
            and _one_of(edges[1], self.right)
            and _some(siblings[:place], self.before)
            and _some(siblings[place + 1 :], self.after)
        )

    def _content(self, node: Node) -> bool:
        words = [word.lower() for word in node.words()]
        host = [w.lower() for s in _before(node) for w in s.words()]
        return (
            _one_of(node.children[0].label if node.children else "", self.first)
            and _one_of(words[0], self.opens)
            and words[0] not in self.closed_to
            and not set(words) & set(self.lacks)
            and not set(host) & set(self.host_lacks)
            and (self.words == 0 or len(words) <= self.words)
        )

    def end(self, node: Node, words: Sequence[str]) -> int | None:
        """Where the deletion ends (leaf index), or None when the word to go through does not follow."""
        if not self.through:
            return node.end
        follows = node.end < len(words) and words[node.end].lower() == self.through
        return node.end + 1 if follows else None


def _before(node: Node) -> list[Node]:
    return [] if node.parent is None else node.parent.children[: node.index]


def _label(node: Node | None, edge: str) -> str:
    return edge if node is None else node.label


def _one_of(value: str, allowed: tuple[str, ...]) -> bool:
    return not allowed or value in allowed


def _some(nodes: Iterable[Node], allowed: tuple[str, ...]) -> bool:
    return not allowed or any(node.label in allowed for node in nodes)


def load_rules(path: Path) -> list[Rule]:
    """The rules of a YAML file in order; raises DiscoError naming file, rule and key of a fault."""
    entries = (yaml.safe_load(read_text(path)) or {}).get("rules") or []
    rules = [_rule(path, entry) for entry in entries]
    names = [rule.name for rule in rules]
    for name in names:
        if names.count(name) > 1:
            raise DiscoError(f"{path} has two rules named {name!r}; rename one.")
    return rules


def _rule(path: Path, entry: dict[str, Any]) -> Rule:
    known = {f.name for f in fields(Rule)}
    name = entry.get("name", "without a name")
    for key in entry:
        if key not in known:
            raise DiscoError(f"{path}, rule {name}: key {key!r} is unknown; known: {', '.join(sorted(known))}.")
    for key in ("name", "type", "label"):
        if key not in entry:
            raise DiscoError(f"{path}, rule {name}: key {key!r} is missing; add it.")
    if entry["type"] not in TYPES:
        raise DiscoError(f"{path}, rule {name}: type {entry['type']!r} is unknown; known: {', '.join(TYPES)}.")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Rule(**values)
