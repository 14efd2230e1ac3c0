"""What tests of deletion share: the rules, and a sentence whose phrases go by them."""

from collections.abc import Sequence

from discobench.synthesis.detokenise import detokenise
from discobench.synthesis.expansion import derive_source, reconstruct
from discobench.synthesis.pruning import Deletion, Pruning, Sentence, deletions, prune
from discobench.synthesis.rules import TYPES, Place, load_rules
from discobench.synthesis.trees import Node, read_tree
from tests.support import ROOT

RULES = load_rules(ROOT / "resources/te/rules.yaml")
ALL = dict.fromkeys(TYPES, 1.0)
EVERYTHING = Pruning(RULES, ALL, False, 1, 1)
HEADS = Pruning(RULES, ALL, True, 1, 1)


def deletable(tree: Node, pruning: Pruning = HEADS) -> dict[tuple[int, int], Deletion]:
    """Every deletion that some rule allows, by its first word and the one after its last."""
    lower, tags = [word.lower() for word in tree.words()], [leaf.label for leaf in tree.leaves()]
    found = (pruning.matching(Place(node, lower, tags)) for node in tree.walk())
    return {(match.start, match.end): match for match in found if match is not None}


def chosen(tree: Node, spans: Sequence[tuple[int, int]]) -> list[Deletion]:
    """The deletions of some spans of words; KeyError names one that no rule allows."""
    allowed = deletable(tree)
    return [allowed[span] for span in spans]


def source_of(target: str, sentence: Sentence) -> str:
    """The source of one sentence, after a look whether the target can be made of it again."""
    insertions, edits = prune(target, sentence)
    source = derive_source(target, insertions, edits)
    record = {"id": "x", "source_text": source, "target": target, "insertions": insertions, "edits": edits}
    assert reconstruct(record) == target
    return source


def drawn(bracketed: str, pruning: Pruning = EVERYTHING) -> str:
    """What is left of a tree's sentence when every deletion is taken that can be."""
    tree = read_tree(bracketed)
    text, tokens = detokenise(tree.words())
    return source_of(text, Sentence(tree.words(), tokens, deletions(tree, "t", pruning)[0]))
