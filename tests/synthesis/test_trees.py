"""Penn brackets, and text made of them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.synthesis.detokenise import character_labels, detokenise
from discobench.synthesis.treebank import read_treebank, vector_text, word_vectors, write_training_files
from discobench.synthesis.trees import Node, plain, read_tree, read_trees, write_tree

LEAF = st.tuples(st.sampled_from(["NN", "JJ", "-LRB-"]), st.sampled_from(["lamp", "-LRB-", "Ω", "n't"]))
TREE = st.recursive(
    LEAF.map(lambda pair: f"({pair[0]} {pair[1]})"),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(NP {' '.join(parts)})"),
)


@given(TREE)
def test_a_tree_reads_back_as_it_was_written(text: str) -> None:
    assert write_tree(read_tree(text)) == text


@given(TREE)
def test_spans_nest_and_leaves_are_numbered(text: str) -> None:
    root = read_tree(text)
    assert [leaf.start for leaf in root.leaves()] == list(range(root.end))
    for node in root.walk():
        assert node.start < node.end
        if node.parent is not None:
            assert node.parent.start <= node.start and node.end <= node.parent.end


def test_a_very_deep_tree_needs_no_recursion() -> None:
    text = "(S " * 5000 + "(NN egg)" + ")" * 5000
    assert write_tree(read_tree(text)) == text


def test_siblings_know_their_neighbours() -> None:
    middle = read_tree("(NP (DT the) (JJ old) (NN lamp))").children[1]
    left, right = middle.sibling(-1), middle.sibling(1)
    assert isinstance(left, Node) and isinstance(right, Node)
    assert (middle.index, left.label, right.label, middle.sibling(2)) == (1, "DT", "NN", None)


def test_plain_trees_have_no_traces_and_no_functions() -> None:
    tree = read_tree("( (S (NP-SBJ-1 (-NONE- *)) (VP (VB Go) (NP=2 (-LRB- -LRB-))) (. .)) )")
    assert write_tree(plain(tree)) == "(ROOT (S (VP (VB Go) (NP (-LRB- -LRB-))) (. .)))"
    assert plain(tree).words() == ["Go", "(", "."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(NP (NN a)", "unclosed"),
        ("(NN a) b", "outside"),
        ("", "0 trees"),
        ("(NN a b)", "'b' at character 6 stands beside"),
        ("(NP (NN a) b)", "beside other words of 'NP'"),
    ],
)
def test_faults_are_named(text: str, message: str) -> None:
    with pytest.raises(DiscoError, match=message):
        read_tree(text)


@given(st.lists(st.sampled_from(["He", "did", "n't", ",", '"', "go", "(", ")", ".", "'s"]), min_size=1, max_size=12))
def test_words_lie_where_their_spans_say(words: list[str]) -> None:
    text, spans = detokenise(words)
    assert [text[a:b] for a, b in spans] == words
    labels = character_labels(text, spans)
    assert len(labels) == len(text) and labels.count("2") == 1 and labels.count("1") == len(words) - 1


def test_quotes_open_and_close_in_turn() -> None:
    assert detokenise(["She", "said", ",", '"', "Go", "!", '"'])[0] == 'She said, "Go!"'


def test_training_files_and_vectors(tmp_path: Path) -> None:
    (tmp_path / "a.mrg").write_text(
        "(S (NN Eggs) (VBP fall) (. .))\n(S (NN Cups) (VBP fall) (. .))\n", encoding="utf-8"
    )
    trees = read_treebank(tmp_path / "a.mrg")
    write_training_files("train", trees, tmp_path)
    assert (tmp_path / "train.txt").read_text("utf-8") == "Eggs fall.\n\nCups fall.\n"
    assert (tmp_path / "train.labels").read_text("utf-8").split("\n")[0] == "0001000012"
    assert (tmp_path / "train.conllu").read_text("utf-8").split("\n")[1].split("\t")[:5] == [
        "2",
        "fall",
        "_",
        "VBP",
        "VBP",
    ]
    words, vectors = word_vectors([tree.words() for tree in trees], 1)
    eggs, cups, fall = (vectors[words.index(word)] for word in ("eggs", "cups", "fall"))
    assert eggs @ cups > eggs @ fall
    assert vector_text(words, vectors).split("\n")[0] == f"{len(words)} {vectors.shape[1]}"


def test_an_empty_treebank_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.mrg").write_text("", encoding="utf-8")
    with pytest.raises(DiscoError, match=r"empty\.mrg holds no tree"):
        read_treebank(tmp_path / "empty.mrg")
    assert read_trees("") == []
