"""Modifiers of one sentence: which ones go, and what is left (paper 3.3, A.2)."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from discobench.synthesis.mending import articles, blanks, capitals, extra_commas
from discobench.synthesis.rules import Place, Rule
from discobench.synthesis.trees import Node

FINITE = ("VBD", "VBP", "VBZ", "MD", "VB")
DANGLING = ("POS", "DT", "PRP$", "CC", "TO")
DASH = re.compile(r"\w(?:--|\u2014)|(?:--|\u2014)\w")
OPENING = frozenset("([;:\u201c\u2018\"'") | {"--", "-", "\u2014", "\u2013"}
CLOSING = frozenset(")]\u201d\u2019\"'") | {"--", "-", "\u2014", "\u2013"}


class Deletion(NamedTuple):
    """Leaves ``start:end`` of a tree, the rule that lets them go, and the one comma that goes with them."""

    start: int
    end: int
    rule: Rule
    comma: int | None = None


@dataclass(frozen=True)
class Pruning:
    """What is deleted: rules, the share of matches by type, the seed that draws them.

    An instance has ``sentences`` sentences and loses at most ``max_share`` of its words.
    """

    rules: Sequence[Rule]
    rates: Mapping[str, float]
    delete_heads: bool
    sentences: int
    seed: int
    max_share: float = 1.0

    def matching(self, place: Place) -> Deletion | None:
        """What the first rule that matches lets go."""
        for rule in self.rules:
            if rule.matches(place) and (self.delete_heads or not rule.heads):
                end = rule.end(place)
                if end is not None:
                    return Deletion(place.node.start, end, rule, _comma(place) if rule.commas == "one" else None)
        return None

    def point(self, tree_id: str, match: Deletion) -> float:
        """Where in [0, 1) a match is drawn: a hash of seed, tree and place, so that no draw depends on another."""
        key = f"{self.seed}:{tree_id}:{match.start}:{match.end}:{match.rule.name}"
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") / 2**64


class Sentence(NamedTuple):
    """A sentence of the target: its words, their code point spans there, and what is deleted."""

    words: list[str]
    tokens: list[tuple[int, int]]
    deletions: list[Deletion]


def deletions(tree: Node, tree_id: str, pruning: Pruning) -> tuple[list[Deletion], Counter[str]]:
    """The deletions drawn for a tree, disjoint, outermost first; and how many could have been, by type.

    What lies inside a drawn deletion is not counted.
    """
    leaves = tree.leaves()
    words, tags = tree.words(), [leaf.label for leaf in leaves]
    lower = [word.lower() for word in words]
    found: list[Deletion] = []
    deletable: Counter[str] = Counter()
    covered = 0
    for node in tree.walk():
        match = pruning.matching(Place(node, lower, tags)) if node.start >= covered else None
        if match is None or _cut(words, tags, match) or _hollow(words, match, found):
            continue
        if not _whole(words, tags, match, found):
            continue
        deletable[match.rule.type] += 1
        if pruning.point(tree_id, match) < pruning.rates.get(match.rule.type, 0.0):
            found.append(match)
            covered = match.end
    return found, deletable


def _comma(place: Place) -> int | None:
    """The comma inside the phrase that parts a constituent from what follows it, else from what goes before.

    One after an adjective counts whatever the phrase: parsers put the two into phrases of their own.
    """
    node, phrase = place.node, place.above
    if node.end < phrase.end and place.words[node.end] == ",":
        return node.end
    left = node.start - 1
    inside = left > phrase.start or (left > 0 and place.tags[left - 1].startswith("JJ"))
    return left if inside and place.words[left] == "," else None


def _cut(words: Sequence[str], tags: Sequence[str], match: Deletion) -> bool:
    """Whether the deletion ends in the middle of a phrase, or a word holds a dash that parts two."""
    return tags[match.end - 1] in DANGLING or any(DASH.search(word) for word in words[match.start : match.end])


def _hollow(words: Sequence[str], match: Deletion, found: Sequence[Deletion]) -> bool:
    """Whether quotation marks, brackets or dashes would be left around nothing, or a semicolon before nothing."""
    gone = {n for d in found for n in range(d.start, d.end)}
    start = match.start
    while start and (start - 1 in gone or words[start - 1] == ","):
        start -= 1
    before = words[start - 1] if start else ""
    after = next((word for word in words[match.end :] if word not in (",", ".", "!", "?", ";")), "")
    return before in OPENING and (after in CLOSING or not after)


def _whole(words: Sequence[str], tags: Sequence[str], match: Deletion, found: Sequence[Deletion]) -> bool:
    """Whether something readable is left, with a verb: if none is, the parser mistook the sentence's own."""
    gone = {n for d in [*found, match] for n in range(d.start, d.end)}
    left = [n for n in range(len(words)) if n not in gone]
    return any(words[n].isalpha() for n in left) and any(tags[n] in FINITE for n in left)


def prune(target: str, sentence: Sentence) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Insertions and edits (spans of ``target``) that make the source of one sentence."""
    words, tokens, chosen = sentence
    if not chosen:
        return [], []
    owner = {n: d.rule for d in chosen for n in range(d.start, d.end)}
    gone = [n in owner for n in range(len(words))]
    single = [n in owner and owner[n].commas == "one" for n in range(len(words))]
    commas = extra_commas(words, gone, single) | {d.comma for d in chosen if d.comma is not None}
    kept = [n for n in range(len(words)) if n not in owner and n not in commas]
    spans = [(tokens[d.start][0], tokens[d.end - 1][1]) for d in chosen]
    insertions = [
        {"start": start, "end": end, "type": d.rule.type, "rule": d.rule.name}
        for (start, end), d in zip(spans, chosen, strict=True)
    ]
    edits = blanks(target, tokens, kept, spans) + articles(target, tokens, kept) + capitals(target, tokens, kept)
    return insertions, sorted(edits, key=lambda edit: edit["start"])
