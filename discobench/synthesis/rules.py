"""Deletion rules: what may go from a sentence. The language is described in resources/te/rules.yaml."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from discobench.config.load import read_yaml
from discobench.errors import DiscoError
from discobench.synthesis.trees import Node

TYPES = ("adjective", "adverb", "noun", "prepositional", "clause")
COMMAS = ("pair", "one")
MOST = 1_000
"""Words of a constituent that a rule without a bound allows."""


@dataclass(frozen=True, slots=True)
class Words:
    """A list of labels or words; ``*`` at the begin or end of an entry stands for any letters."""

    exact: frozenset[str]
    begins: tuple[str, ...]
    ends: tuple[str, ...]

    def __contains__(self, word: str) -> bool:
        return word in self.exact or word.startswith(self.begins) or word.endswith(self.ends)


def word_list(entries: Sequence[str]) -> Words:
    """``entries`` as Words."""
    begins = tuple(entry[:-1] for entry in entries if entry.endswith("*"))
    ends = tuple(entry[1:] for entry in entries if entry.startswith("*"))
    return Words(frozenset(entry for entry in entries if "*" not in entry), begins, ends)


class Place(NamedTuple):
    """A constituent, and the lower-case words and the tags of its sentence."""

    node: Node
    words: Sequence[str]
    tags: Sequence[str]

    @property
    def above(self) -> Node:
        """The parent; the node itself at the top, which no rule matches."""
        return self.node.parent or self.node

    def own(self) -> Sequence[str]:
        """The constituent's words."""
        return self.words[self.node.start : self.node.end]

    def host(self) -> Sequence[str]:
        """The words of its siblings before it."""
        return self.words[self.above.start : self.node.start]

    def host_tag(self) -> str:
        """The tag of the last word of ``host``, commas left out."""
        places = range(self.node.start - 1, self.above.start - 1, -1)
        return next((self.tags[n] for n in places if self.tags[n] != ","), "")

    def verb(self) -> str:
        """The verb of the closest verb phrase above."""
        node = self.node.parent
        while node is not None and node.label != "VP":
            node = node.parent
        verbs = (c.start for c in (node.children if node else ()) if c.label.startswith("VB"))
        return next((self.words[n] for n in verbs), "")

    def siblings(self) -> Iterator[Node]:
        """The constituents beside it."""
        return (child for child in self.above.children if child is not self.node)


def _label(node: Node | None, edge: str) -> str:
    return edge if node is None else node.label


def _child(node: Node, place: int) -> str:
    return node.children[place].label if place < len(node.children) else ""


def _word(words: Sequence[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""


Condition = Callable[[Place, Words], bool]
CONDITIONS: Mapping[str, Condition] = {
    "parent": lambda p, some: p.above.label in some,
    "grandparent": lambda p, some: _label(p.above.parent, "^") in some,
    "left": lambda p, some: _label(p.node.sibling(-1), "^") in some,
    "right": lambda p, some: _label(p.node.sibling(1), "$") in some,
    "before": lambda p, some: any(s.label in some for s in p.siblings() if s.start < p.node.start),
    "after": lambda p, some: any(s.label in some for s in p.siblings() if s.start > p.node.start),
    "siblings_lack": lambda p, some: not any(s.label in some for s in p.siblings()),
    "first": lambda p, some: _child(p.node, 0) in some,
    "second": lambda p, some: _child(p.node, 1) in some,
    "holds": lambda p, some: any(node.label in some for node in p.node.walk()),
    "ends": lambda p, some: p.tags[p.node.end - 1] in some,
    "opens": lambda p, some: p.own()[0] in some,
    "closes": lambda p, some: p.own()[-1] in some,
    "closed_to": lambda p, some: p.own()[0] not in some,
    "only": lambda p, some: all(word in some for word in p.own()),
    "lacks": lambda p, some: not any(word in some for word in p.own()),
    "host_ends": lambda p, some: p.host_tag() in some,
    "host_lacks": lambda p, some: not any(word in some for word in p.host()),
    "not_after": lambda p, some: _word(p.words, p.node.start - 1) not in some,
    "not_before": lambda p, some: _word(p.words, p.node.end) not in some,
    "verb": lambda p, some: p.verb() in some,
    "verb_lacks": lambda p, some: p.verb() not in some,
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern; ``conditions`` are those of CONDITIONS that it names, with their lists."""

    name: str
    type: str
    label: frozenset[str]
    conditions: tuple[tuple[Condition, Words], ...] = ()
    least: int = 1
    most: int = MOST
    commas: str = "pair"
    through: str = ""
    heads: bool = False

    def matches(self, place: Place) -> bool:
        """Whether all that the rule says is true of ``place``."""
        node = place.node
        return (
            node.label in self.label
            and node.parent is not None
            and self.least <= node.end - node.start <= self.most
            and all(holds(place, some) for holds, some in self.conditions)
        )

    def end(self, place: Place) -> int | None:
        """Where the deletion ends (leaf index), or None when the word to go through does not follow."""
        if not self.through:
            return place.node.end
        return place.node.end + 1 if _word(place.words, place.node.end) == self.through else None


OPTIONS: Mapping[str, type] = {"least": int, "most": int, "commas": str, "through": str, "heads": bool}
OF_WORDS = ("opens", "closes", "closed_to", "only", "lacks", "host_lacks", "not_after", "not_before", "verb_lacks")
OPEN_WORD = re.compile(r"\*?[^*]+|[^*]+\*")
NEEDED = ("name", "type", "label")
KEYS = (*NEEDED, *CONDITIONS, *OPTIONS)


def load_rules(path: Path) -> list[Rule]:
    """The rules of a YAML file in order; raises DiscoError naming file, rule and key of a fault."""
    entries = read_yaml(path).get("rules")
    if not entries or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DiscoError(f"{path}: rules must be a list of one rule or more, each a mapping of keys; mend it.")
    rules = [_rule(f"{path}, rule {entry.get('name', 'without a name')}", entry) for entry in entries]
    names = [rule.name for rule in rules]
    for name in names:
        if names.count(name) > 1:
            raise DiscoError(f"{path} has two rules named {name!r}; rename one.")
    return rules


def _rule(where: str, given: Mapping[str, Any]) -> Rule:
    entry = {key: _flat(value) for key, value in given.items()}
    _check(where, entry)
    conditions = tuple((CONDITIONS[key], word_list(entry[key])) for key in entry if key in CONDITIONS)
    options = {key: entry[key] for key in entry if key in OPTIONS}
    return Rule(entry["name"], entry["type"], frozenset(entry["label"]), conditions, **options)


def _flat(value: Any) -> Any:
    """A list whose lists are merged into it, so that a rule can add to a shared list."""
    if not isinstance(value, list):
        return value
    return [word for item in value for word in (item if isinstance(item, list) else [item])]


def _check(where: str, entry: Mapping[str, Any]) -> None:
    _check_keys(where, entry)
    for key in ("label", *(key for key in entry if key in CONDITIONS)):
        _check_list(where, key, entry[key])
    for key in (key for key in entry if key in OPTIONS):
        if type(entry[key]) is not OPTIONS[key]:
            raise DiscoError(f"{where}: {key} holds {entry[key]!r}; {OPTIONS[key].__name__} is needed.")
    for key, known in (("type", TYPES), ("commas", COMMAS)):
        if entry.get(key, known[0]) not in known:
            raise DiscoError(f"{where}: {key} {entry[key]!r} is unknown; known: {', '.join(known)}.")
    if not 1 <= entry.get("least", 1) <= entry.get("most", MOST):
        raise DiscoError(f"{where}: least and most must be bounds, 1 or more, of a number of words; mend them.")


def _check_keys(where: str, entry: Mapping[str, Any]) -> None:
    for key in entry:
        if key not in KEYS:
            raise DiscoError(f"{where}: key {key!r} is unknown; known: {', '.join(sorted(KEYS))}.")
    for key in NEEDED:
        if key not in entry:
            raise DiscoError(f"{where}: key {key!r} is missing; add it.")
    if not isinstance(entry["name"], str):
        raise DiscoError(f"{where}: name holds {entry['name']!r}; a text is needed.")


def _check_list(where: str, key: str, value: Any) -> None:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise DiscoError(f"{where}: {key} holds {value!r}; a list of texts is needed: quote no, on and off.")
    odd = next((word for word in value if not OPEN_WORD.fullmatch(word)), None)
    if odd is not None:
        raise DiscoError(f"{where}: {key} holds {odd!r}; one * may begin or end a word of a letter or more.")
    loud = next((word for word in value if key in (*OF_WORDS, "verb") and word != word.lower()), None)
    if loud is not None:
        raise DiscoError(f"{where}: {key} holds {loud!r}; words are compared in lower case: write {loud.lower()!r}.")
