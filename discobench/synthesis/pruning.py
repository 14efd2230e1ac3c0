"""Text expansion instances: modifiers deleted from runs of sentences (paper 3.3, A.2)."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from discobench.records import Balance
from discobench.schema import empty
from discobench.synthesis.expansion import derive_source
from discobench.synthesis.mending import articles, blanks, capital, extra_commas
from discobench.synthesis.rules import Rule
from discobench.synthesis.trees import Node, read_tree

BREAKS = str.maketrans("\n\r\t\u0085\u2028\u2029", "      ")


@dataclass(frozen=True)
class Pruning:
    """What is deleted: rules, the share of matches by type, and the seed that draws them."""

    rules: Sequence[Rule]
    rates: Mapping[str, float]
    delete_heads: bool
    sentences: int
    seed: int


class Deletion(NamedTuple):
    """Leaves ``start:end`` of a tree, the rule that lets them go, and the one comma that goes with them."""

    start: int
    end: int
    rule: Rule
    comma: int | None = None


class Sentence(NamedTuple):
    """A sentence of the target: its words, their code point spans there, and what is deleted."""

    words: list[str]
    tokens: list[tuple[int, int]]
    deletions: list[Deletion]


def deletions(tree: Node, tree_id: str, pruning: Pruning) -> list[Deletion]:
    """The deletions drawn for a tree: disjoint, outermost first.

    Each match is drawn by a hash of seed, tree and place, so no draw depends on another's order.
    """
    words = tree.words()
    found: list[Deletion] = []
    covered = 0
    for node in tree.walk():
        match = _match(node, words, pruning) if node.start >= covered else None
        if match and _drawn(tree_id, match, pruning) and not _only_words(words, match, found):
            found.append(match)
            covered = match.end
    return found


def _match(node: Node, words: Sequence[str], pruning: Pruning) -> Deletion | None:
    for rule in pruning.rules:
        if (pruning.delete_heads or not rule.heads) and rule.matches(node):
            end = rule.end(node, words)
            if end is not None:
                return Deletion(node.start, end, rule, _comma(node) if rule.commas == "one" else None)
    return None


def _comma(node: Node) -> int | None:
    """The comma among the siblings that parts ``node`` from the next one, else from the one before."""
    beside = (node.sibling(1), node.sibling(-1))
    return next((sibling.start for sibling in beside if sibling is not None and sibling.label == ","), None)


def _drawn(tree_id: str, match: Deletion, pruning: Pruning) -> bool:
    key = f"{pruning.seed}:{tree_id}:{match.start}:{match.end}:{match.rule.name}"
    point = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") / 2**64
    return point < pruning.rates.get(match.rule.type, 0.0)


def _only_words(words: Sequence[str], match: Deletion, found: Sequence[Deletion]) -> bool:
    """Whether nothing readable would be left of the sentence."""
    gone = {n for d in [*found, match] for n in range(d.start, d.end)}
    return not any(word.isalpha() for n, word in enumerate(words) if n not in gone)


def instances(
    document: Mapping[str, Any], trees: Sequence[Mapping[str, Any]], pruning: Pruning, balance: Balance
) -> list[dict[str, Any]]:
    """Records of schema ``te`` from the parsed sentences of one document.

    The document's sentences are cut into runs of ``pruning.sentences``; runs that are short, not
    wholly parsed, or from which nothing was deleted are dropped with a reason.
    """
    known = {tree["id"]: tree for tree in trees}
    ids = [f"{document['id']}:{n}" for n in range(len(document["sentence_offsets"]))]
    runs = [ids[n : n + pruning.sentences] for n in range(0, len(ids), pruning.sentences)]
    records = []
    for number, run in enumerate(runs):
        if len(run) < pruning.sentences:
            balance.drop("fewer sentences than an instance has")
        elif any(name not in known for name in run):
            balance.drop("a sentence has no tree")
        else:
            record = _instance(document, number, [known[name] for name in run], pruning)
            records += _counted(record, balance)
    return records


def _counted(record: dict[str, Any], balance: Balance) -> list[dict[str, Any]]:
    if not record["insertions"]:
        balance.drop("nothing deleted")
        return []
    balance.keep()
    return [record]


def _instance(
    document: Mapping[str, Any], number: int, trees: Sequence[Mapping[str, Any]], pruning: Pruning
) -> dict[str, Any]:
    target = ""
    insertions: list[dict[str, Any]] = []
    edits: list[dict[str, Any]] = []
    for row in trees:
        target += " " if target else ""
        shift = len(target) - row["start"]
        target += document["text"][row["start"] : row["end"]].translate(BREAKS)
        tree = read_tree(row["tree"])
        tokens = [(token["start"] + shift, token["end"] + shift) for token in row["tokens"]]
        sentence = Sentence(tree.words(), tokens, deletions(tree, row["id"], pruning))
        inserted, mended = prune(target, sentence)
        insertions += inserted
        edits += mended
    return empty("te") | {
        "id": f"{document['id']}:{number}",
        **{key: document[key] for key in ("source", "work_id", "language", "split")},
        "source_text": derive_source(target, insertions, edits),
        "target": target,
        "insertions": insertions,
        "edits": edits,
        "tree_ids": [row["id"] for row in trees],
    }


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
    edits = blanks(target, tokens, kept, spans) + articles(target, tokens, kept) + capital(target, tokens, kept)
    return insertions, sorted(edits, key=lambda edit: edit["start"])


def by_document(trees: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Trees grouped by document; they come sorted by it."""
    return {name: list(rows) for name, rows in groupby(trees, key=lambda tree: str(tree["document_id"]))}
