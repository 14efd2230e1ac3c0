"""Runs of sentences: source, insertions and edits make the target, and what is counted."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.records import Balance
from discobench.synthesis.detokenise import detokenise
from discobench.synthesis.expansion import derive_source, reconstruct
from discobench.synthesis.instances import instances, paired
from discobench.synthesis.pruning import Pruning
from discobench.synthesis.trees import read_tree
from tests.synthesis.phrases import ALL, RULES

LEAVES = [
    *("(JJ old)", "(NN egg)", "(, ,)", "(DT an)", "(RB now)", "(IN with)", '(`` ")', "(. .)", "(DT A)", "(NN box)"),
    *("(VBD sang)", "(NNP Captain)", "(WP who)", "(RB slowly)", "(CC and)", "(-LRB- -LRB-)", "(: --)"),
]
LABELS = ["NP", "VP", "PP", "S", "ADVP", "SBAR", "ADJP", "WHNP"]


def _random_tree(random: Random, depth: int = 0) -> str:
    label = random.choice(LABELS)
    if depth > 3 or random.random() < 0.3:
        return f"({label} {' '.join(random.choices(LEAVES, k=random.randint(1, 4)))})"
    return f"({label} {' '.join(_random_tree(random, depth + 1) for _ in range(random.randint(1, 4)))})"


def _document(seed: int, sentences: int, name: str = "d") -> tuple[dict[str, Any], list[dict[str, Any]]]:
    random = Random(seed)
    text, offsets, trees = "", [], []
    for number in range(sentences):
        tree = f"(ROOT {_random_tree(random)})"
        line, spans = detokenise(read_tree(tree).words())
        start = len(text)
        text += line + "\n"
        offsets.append({"start": start, "end": start + len(line)})
        tokens = [{"start": start + a, "end": start + b} for a, b in spans]
        place = {"start": start, "end": start + len(line)}
        trees.append({"id": f"{name}:{number}", "document_id": name, "tree": tree, "tokens": tokens, **place})
    common = {"id": name, "source": "s", "work_id": "w", "language": "en", "split": "train"}
    return common | {"text": text, "sentence_offsets": offsets}, trees


@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.7, 1.0]), st.sampled_from([0.2, 1.0]))
def test_source_insertions_and_edits_make_the_target(seed: int, rate: float, share: float) -> None:
    document, trees = _document(seed, 4)
    balance = Balance("prune")
    pruning = Pruning(RULES, dict.fromkeys(ALL, rate), True, 2, seed, share)
    records = instances(document, trees, pruning, balance)
    assert balance.kept + sum(balance.dropped.values()) == 2
    for record in records:
        target, source = record["target"], record["source_text"]
        assert reconstruct(record) == target
        assert derive_source(target, record["insertions"], record["edits"]) == source
        assert "  " not in source and source == source.strip()
        for edit in record["edits"]:
            assert target[edit["start"] : edit["end"]] == edit["to"]
        spans = sorted((s["start"], s["end"]) for s in [*record["insertions"], *record["edits"]])
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        assert len(record["tree_ids"]) == 2


@given(st.integers(0, 10_000), st.floats(0.0, 0.6))
def test_an_instance_loses_no_more_than_its_share(seed: int, share: float) -> None:
    document, trees = _document(seed, 3)
    for record in instances(document, trees, Pruning(RULES, ALL, True, 3, seed, share), Balance("prune")):
        words = sum(len(read_tree(tree["tree"]).leaves()) for tree in trees)
        gone = sum(
            sum(i["start"] <= token["start"] + shift < i["end"] for tree, shift in _shifts(trees) for token in tree)
            for i in record["insertions"]
        )
        assert gone <= share * words


def _shifts(trees: list[dict[str, Any]]) -> list[tuple[list[dict[str, int]], int]]:
    """Tokens of each tree, and how far the target moves them: lines end with a blank there as in the document."""
    return [(tree["tokens"], -trees[0]["start"]) for tree in trees]


def test_draws_do_not_depend_on_order_and_short_runs_are_counted() -> None:
    document, trees = _document(3, 5)
    pruning = Pruning(RULES, dict.fromkeys(ALL, 0.6), False, 2, 7)
    balance = Balance("prune")
    first = instances(document, trees, pruning, balance)
    assert first == instances(document, trees[::-1], pruning, Balance("prune"))
    assert balance.dropped["fewer sentences than an instance has"] == 1
    assert balance.notes["deletable"].keys() <= set(ALL)
    without = Balance("prune")
    instances(document, trees[1:], pruning, without)
    assert "a sentence has no tree" in without.dropped


def test_documents_meet_their_trees_and_strangers_are_an_error() -> None:
    (one, its), (two, others) = (_document(n, 2, name) for n, name in ((1, "a"), (2, "b")))
    empty = _document(3, 2, "c")[0]
    assert [len(rows) for _, rows in paired([one, empty, two], [*its, *others])] == [2, 0, 2]
    with pytest.raises(DiscoError, match="'a'"):
        list(paired([two], its))


def test_a_record_that_does_not_add_up_is_an_error() -> None:
    edits = [{"start": 0, "end": 1, "from": "A", "to": "a"}]
    with pytest.raises(DiscoError, match="record r"):
        reconstruct({"id": "r", "source_text": "b", "target": "a", "insertions": [], "edits": edits})
