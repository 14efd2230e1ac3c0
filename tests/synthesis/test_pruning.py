"""Deletion of modifiers: structures as in Table 14, in sentences of our own."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.records import Balance
from discobench.synthesis.detokenise import detokenise
from discobench.synthesis.expansion import derive_source, reconstruct
from discobench.synthesis.pruning import Deletion, Pruning, Sentence, by_document, deletions, instances, prune
from discobench.synthesis.rules import Rule, load_rules
from discobench.synthesis.trees import read_tree

RULES = load_rules(Path(__file__).parents[2] / "resources" / "te" / "rules.yaml")
ALL = dict.fromkeys(("adjective", "adverb", "noun", "prepositional", "clause"), 1.0)

# (tree, phrases deleted by name of a rule, source); the first six have the shapes of Table 14.
SHAPES = [
    (
        "(S (PP (IN For) (NP (DT that) (NN purpose))) (, ,) (PP (IN in) (NP (CD 1702))) (NP (NNP Captain) (NNP Hale)) "
        "(VP (VBD drew) (NP (NP (DT the) (NN chart)) (SBAR (WHNP (WDT that)) (S (ADVP (RB still)) (VP (VBZ hangs) "
        "(ADVP (RB there))))))) (. .))",
        ["For that purpose", "Captain", "that still hangs there"],
        "In 1702 Hale drew the chart.",
    ),
    (
        "(S (NP (DT The) (NNP North)) (PP (IN in) (NP (DT those) (NNS days))) (VP (VBD was) (NP (NP (DT a) (NN child)) "
        "(, ,) (NP (JJ poor) (NN land)) (, ,) (VP (VBN shaken) (PP (IN by) (NP (JJ foreign) (NNS wars)))))) (. .))",
        ["in those days", "poor land"],
        "The North was a child, shaken by foreign wars.",
    ),
    (
        "(S (ADVP (RB First)) (VP (VBD came) (NP (NP (DT the) (NN love)) "
        "(PP (IN of) (NP (JJ honest) (NN work))))) (. .))",
        ["love of", "honest"],
        "First came the work.",
    ),
    (
        "(S (NP (JJ Small) (NNS towns)) (ADVP (RB even) (RB now)) (ADVP (RB still)) (VP (VBP have) (RB not) "
        "(VP (VBN been) (ADVP (RB fully)) (VP (VBN rebuilt) (PP (IN in) (NP (NP (NNS parts)) "
        "(PP (IN of) (NP (DT the) (NN coast)))))))) (. .))",
        ["even now", "still", "fully"],
        "Small towns have not been rebuilt in parts of the coast.",
    ),
    (
        "(S (PP (IN In) (NP (NN winter))) (NP (DT no) (NN ship)) (VP (VBD had) (VP (VBN left))) (. .))",
        ["In winter"],
        "No ship had left.",
    ),
    (
        "(S (NP (DT The) (ADJP (JJ gentle) (JJ old)) (NN sailor)) (VP (VBD was) (VP (VP (ADVP (RB calmly)) (VBN led) "
        "(PP (IN to) (NP (NN sea)))) (, ,) (PP (IN in) "
        "(NP (NP (DT a) (NN boat)) (ADJP (JJ full) (PP (IN of) (NP (NNS holes)))))))) (. .))",
        ["gentle old", "calmly", "in a boat full of holes"],
        "The sailor was led to sea.",
    ),
    (
        "(S (NP (PRP He)) (VP (VBD saw) (NP (DT an) (JJ old) (NN lamp))) (. .))",
        ["old"],
        "He saw a lamp.",
    ),
    (
        "(S (NP (NP (NNP Mara)) (, ,) (NP (DT the) (NN baker)) (, ,)) (VP (VBD slept)) (. .))",
        ["the baker"],
        "Mara slept.",
    ),
    (
        "(S (NP (DT A) (JJ big) (, ,) (JJ empty) (NN hall)) (VP (VBD waited)) (. .))",
        ["big"],
        "An empty hall waited.",
    ),
]


def _sentence(bracketed: str, phrases: list[str]) -> tuple[str, Sentence]:
    tree = read_tree(bracketed)
    words = tree.words()
    text, tokens = detokenise(words)
    chosen = []
    for phrase in phrases:
        size = len(phrase.split(" "))
        start = next(n for n in range(len(words)) if words[n : n + size] == phrase.split(" "))
        one = phrase in ("poor land", "big")
        rule = Rule("given", "noun", ("NP",), commas="one" if one else "pair")
        chosen.append(Deletion(start, start + size, rule, start + size if one else None))
    return text, Sentence(words, tokens, chosen)


@pytest.mark.parametrize(("bracketed", "phrases", "source"), SHAPES)
def test_given_spans_give_exactly_the_source(bracketed: str, phrases: list[str], source: str) -> None:
    text, sentence = _sentence(bracketed, phrases)
    insertions, edits = prune(text, sentence)
    assert [text[i["start"] : i["end"]] for i in insertions] == phrases
    assert derive_source(text, insertions, edits) == source
    record = {"id": "x", "source_text": source, "target": text, "insertions": insertions, "edits": edits}
    assert reconstruct(record) == text


def _drawn(bracketed: str, heads: bool = False) -> str:
    tree = read_tree(bracketed)
    text, tokens = detokenise(tree.words())
    found = deletions(tree, "t", Pruning(RULES, ALL, heads, 1, 1))
    insertions, edits = prune(text, Sentence(tree.words(), tokens, found))
    return derive_source(text, insertions, edits)


@pytest.mark.parametrize(
    ("bracketed", "source"),
    [
        ("(S (NP (DT A) (JJ big) (, ,) (JJ empty) (NN hall)) (VP (VBD waited)) (. .))", "A hall waited."),
        ("(S (PP (IN In) (NP (NN winter))) (, ,) (NP (JJ old) (NNS men)) (VP (VBD slept)) (. .))", "Men slept."),
        (
            "(S (NP (NP (NNP Bo)) (, ,) (NP (DT a) (NN baker)) (, ,)) (VP (VBD sang) (ADVP (RB very) (RB low))) (. .))",
            "Bo sang.",
        ),
        ("(S (NP (PRP She)) (VP (VBD looked) (PP (IN at) (NP (PRP him)))) (. .))", "She looked at him."),
        ("(S (NP (PRP It)) (VP (VBD did) (RB n't) (VP (VB rain))) (. .))", "It didn't rain."),
        ("(S (NP (PRP She)) (VP (VBD gave) (PRT (RP up))) (. .))", "She gave up."),
        (
            "(S (NP (NP (DT all)) (PP (IN from) (NP (DT the) (NN coast)))) (VP (VBD left)) (. .))",
            "All from the coast left.",
        ),
        (
            "(S (NP (NP (DT the) (NN fact)) (SBAR (IN that) (S (NP (PRP he)) (VP (VBD left))))) (VP (VBD hurt)) (. .))",
            "The fact that he left hurt.",
        ),
        (
            "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD sang))))) (VP (VBD left)) (. .))",
            "The man left.",
        ),
    ],
)
def test_rules_take_modifiers_and_leave_arguments(bracketed: str, source: str) -> None:
    assert _drawn(bracketed).lower() == source.lower()


def test_heads_go_only_when_asked() -> None:
    tree = "(S (NP (EX There)) (VP (VBD came) (NP (NP (DT the) (NN loss)) (PP (IN of) (NP (NN land))))) (. .))"
    assert _drawn(tree) == "There came the loss of land."
    assert _drawn(tree, heads=True) == "There came the land."


def _random_tree(random: Random, depth: int = 0) -> str:
    label = random.choice(["NP", "VP", "PP", "S", "ADVP", "SBAR", "ADJP"])
    if depth > 3 or random.random() < 0.3:
        leaves = [
            "(JJ old)",
            "(NN egg)",
            "(, ,)",
            "(DT an)",
            "(RB now)",
            "(IN with)",
            '(`` ")',
            "(. .)",
            "(DT A)",
            "(NN box)",
        ]
        return f"({label} {' '.join(random.choices(leaves, k=random.randint(1, 4)))})"
    return f"({label} {' '.join(_random_tree(random, depth + 1) for _ in range(random.randint(1, 4)))})"


def _document(seed: int, sentences: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    random = Random(seed)
    text, offsets, trees = "", [], []
    for number in range(sentences):
        tree = f"(ROOT {_random_tree(random)})"
        line, spans = detokenise(read_tree(tree).words())
        start = len(text)
        text += line + "\n"
        offsets.append({"start": start, "end": start + len(line)})
        tokens = [{"start": start + a, "end": start + b} for a, b in spans]
        trees.append({"id": f"d:{number}", "tree": tree, "tokens": tokens, "start": start, "end": start + len(line)})
    common = {"id": "d", "source": "s", "work_id": "w", "language": "en", "split": "train"}
    return common | {"text": text, "sentence_offsets": offsets}, trees


@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.7, 1.0]))
def test_source_insertions_and_edits_make_the_target(seed: int, rate: float) -> None:
    document, trees = _document(seed, 4)
    balance = Balance("prune")
    pruning = Pruning(RULES, dict.fromkeys(ALL, rate), True, 2, seed)
    records = instances(document, trees, pruning, balance)
    assert balance.kept + sum(balance.dropped.values()) == 2
    for record in records:
        assert reconstruct(record) == record["target"]
        assert derive_source(record["target"], record["insertions"], record["edits"]) == record["source_text"]
        assert "  " not in record["source_text"] and record["source_text"] == record["source_text"].strip()
        for edit in record["edits"]:
            assert record["target"][edit["start"] : edit["end"]] == edit["to"]


def test_draws_do_not_depend_on_order_and_short_runs_are_counted() -> None:
    document, trees = _document(3, 5)
    pruning = Pruning(RULES, dict.fromkeys(ALL, 0.6), False, 2, 7)
    balance = Balance("prune")
    first = instances(document, trees, pruning, balance)
    assert first == instances(document, trees[::-1], pruning, Balance("prune"))
    assert balance.dropped["fewer sentences than an instance has"] == 1
    assert "a sentence has no tree" in _dropped(document, trees[1:], pruning)
    assert by_document([{"document_id": "a"}, {"document_id": "a"}, {"document_id": "b"}]).keys() == {"a", "b"}


def _dropped(document: dict[str, Any], trees: list[dict[str, Any]], pruning: Pruning) -> set[str]:
    balance = Balance("prune")
    instances(document, trees, pruning, balance)
    return set(balance.dropped)


def test_a_record_that_does_not_add_up_is_an_error() -> None:
    edits = [{"start": 0, "end": 1, "from": "A", "to": "a"}]
    with pytest.raises(DiscoError, match="record r"):
        reconstruct({"id": "r", "source_text": "b", "target": "a", "insertions": [], "edits": edits})


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{name: a, type: noun, label: [NN], colour: red}", "colour"),
        ("{name: a, type: verb, label: [VB]}", "verb"),
        ("{name: a, type: noun}", "label"),
        ("{name: a, type: noun, label: [NN]}\n  - {name: a, type: noun, label: [NN]}", "two rules"),
    ],
)
def test_a_faulty_rule_is_named(tmp_path: Path, entry: str, message: str) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(f"rules:\n  - {entry}\n", encoding="utf-8")
    with pytest.raises(DiscoError, match=message):
        load_rules(path)
