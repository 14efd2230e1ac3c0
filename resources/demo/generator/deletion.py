"""Text expansion by deletion: the sentence without the modifiers that were cut, and what was cut."""

from random import Random
from typing import Any

from discobench.synthesis.expansion import derive_source
from resources.demo.generator.phrases import article_for
from resources.demo.generator.trees import QUOTES, Node, capital, separator, words

KEEP = 0.1


def expansion(tree: Node, draw: Random) -> dict[str, Any]:
    """Fields of schema ``te``: the source, the target, the spans of the target that the source lacks.

    What ``insertions`` and ``edits`` mean is said in ``discobench.synthesis.expansion``.
    """
    tokens = _decided(tree, draw)
    target, spans = _placed(tokens)
    edits = _articles(tokens, spans)
    return {
        "source_text": capital(derive_source(target, insertions(tokens, spans), edits)),
        "target": capital(target),
        "insertions": insertions(tokens, spans),
        "edits": edits,
    }


def _decided(tree: Node, draw: Random) -> list[tuple[str, str, int]]:
    kept: dict[int, bool] = {}
    return [
        (word, "", 0) if not kind or kept.setdefault(key, draw.random() < KEEP) else (word, kind, key)
        for word, kind, key in words(tree)
    ]


def _placed(tokens: list[tuple[str, str, int]]) -> tuple[str, list[tuple[int, int]]]:
    target, spans, before = "", [], None
    for word, _, _ in tokens:
        target += separator(before, word)
        written = QUOTES.get(word, word)
        spans.append((len(target), len(target) + len(written)))
        target, before = target + written, word
    return target, spans


def insertions(tokens: list[tuple[str, str, int]], spans: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Runs of words with one cut, as spans of the target that include the blank before them."""
    found: list[dict[str, Any]] = []
    keys: list[int] = []
    for i, (_, kind, key) in enumerate(tokens):
        if kind and keys and keys[-1] == key and found[-1]["end"] == spans[i - 1][1]:
            found[-1]["end"] = spans[i][1]
        elif kind:
            found.append({"start": spans[i - 1][1], "end": spans[i][1], "type": kind, "rule": "demo"})
            keys.append(key)
    return found


def _articles(tokens: list[tuple[str, str, int]], spans: list[tuple[int, int]]) -> list[dict[str, Any]]:
    edits = []
    for i, (word, kind, _) in enumerate(tokens):
        if word in ("a", "an") and not kind:
            following = next(later for later, cut, _ in tokens[i + 1 :] if not cut)
            if article_for(following) != word:
                start, end = spans[i]
                edits.append({"start": start, "end": end, "from": article_for(following), "to": word})
    return edits
