"""The paper's three examples: from given trees and chosen spans, its targets give its sources."""

import os
import re
from pathlib import Path

import pytest

from discobench.synthesis.pruning import Sentence
from discobench.synthesis.trees import read_tree
from tests.synthesis.phrases import chosen, source_of

TOKEN = re.compile(r"\w+|[^\w\s]")
# Per target its sentences: the tree, whose words stand in the paper, and what goes: words (from, to) by type.
TREES = {
    1: [
        (
            "(S (PP (IN _) (NP (DT _) (NN _))) (, _) (PP (IN _) (NP (CD _))) (NP (NNP _) (NNP _) (NNP _)) (VP (VBD _) "
            "(NP (NP (DT _) (NN _)) (SBAR (WHNP (WDT _)) (S (ADVP (RB _)) (VP (VBZ _) (NP (PRP$ _) (NN _))))))) (. _))",
            {(0, 3): "prepositional", (6, 7): "noun", (12, 17): "clause"},
        ),
        (
            "(S (NP (DT _) (NNP _) (NNPS _)) (PP (IN _) (NP (DT _) (NN _))) (VP (VBD _) (NP (NP (DT _) (NN _)) (, _) "
            "(NP (JJ _) (NN _)) (, _) (VP (VBN _) (PP (IN _) (NP (JJ _) (NNS _)))))) (. _))",
            {(3, 6): "prepositional", (10, 12): "noun"},
        ),
    ],
    2: [
        (
            "(S (ADVP (RB _)) (VP (VBD _) (NP (NP (DT _) (NN _)) (PP (IN _) (NP (JJ _) (NN _))))) (. _))",
            {(3, 5): "noun", (5, 6): "adjective"},
        ),
        (
            "(S (NP (JJ _) (NNS _)) (ADVP (RB _) (RB _)) (ADVP (RB _)) (VP (VBP _) (RB _) (VP (VBN _) (ADVP (RB _)) "
            "(VP (VBN _) (PP (IN _) (NP (NP (NNS _)) (PP (IN _) (NP (NNP _) (NNP _)))))))) (. _))",
            {(2, 4): "adverb", (4, 5): "adverb", (8, 9): "adverb"},
        ),
        (
            "(S (PP (IN _) (NP (DT _) (NN _))) (NP (DT _) (JJ _) (NN _)) (VP (VBD _) (VP (VBN _) "
            "(NP (PDT _) (DT _) (NN _)))) (. _))",
            {(0, 3): "prepositional"},
        ),
    ],
    3: [
        (
            "(S (NP (DT _) (JJ _) (JJ _) (NN _)) (VP (VP (VBD _) (ADVP (RB _)) (VP (VBN _) (PP (IN _) (NP (NN _))))) "
            "(, _) (CC _) (VP (VBD _) (S (VP (TO _) (VP (VB _) (VP (VBN _) (PP (IN _) (NP (DT _) (NN _))) (, _) "
            "(PP (IN _) (NP (NP (DT _) (NN _)) (VP (VBN _) (ADJP (JJ _) (PP (IN _) (NP (NNS _))))))))))))) (. _))",
            {(1, 2): "adjective", (2, 3): "adjective", (5, 6): "adverb", (19, 26): "prepositional"},
        ),
        (
            "(S (S (NP (PRP _)) (VP (VBD _) (VP (VBN _) (ADVP (RB _))))) (, _) (CC _) (S (NP "
            "(DT _) (NN _)) (VP (VBD _) "
            "(VP (VBN _) (SBAR (WHNP (WP _)) (S (VP (VBD _) (S (VP (TO _) (VP (VB _) (NP (NP (DT _) (NN _)) "
            "(PP (IN _) (NP (PRP$ _) (NN _))))))))))))) (. _))",
            {(10, 19): "clause"},
        ),
    ],
}


@pytest.fixture(scope="module")
def table14() -> dict[str, str]:
    """Source and target by their printed names."""
    folder = os.environ.get("DISCOBENCH_PAPER")
    if not folder:
        pytest.skip("DISCOBENCH_PAPER does not name the folder of the paper's text")
    text = (Path(folder) / "paper.txt").read_text("utf-8")
    return dict(re.findall(r"^((?:Source|Target) \d)\t(.*?) *$", text, re.MULTILINE))


@pytest.mark.parametrize("number", TREES)
def test_the_targets_give_the_sources(table14: dict[str, str], number: int) -> None:
    targets = re.split(r"(?<=\.) ", table14[f"Target {number}"])
    sources = []
    for target, (skeleton, spans) in zip(targets, TREES[number], strict=True):
        words = TOKEN.findall(target)
        tokens = [(match.start(), match.end()) for match in TOKEN.finditer(target)]
        assert skeleton.count("_") == len(words)
        tree = read_tree(skeleton.replace("_", "{}").format(*words))
        deletions = chosen(tree, list(spans))
        assert [d.rule.type for d in deletions] == list(spans.values())
        sources.append(source_of(target, Sentence(tree.words(), tokens, deletions)))
    assert " ".join(sources) == table14[f"Source {number}"]
