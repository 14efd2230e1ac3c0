"""Deletion of modifiers: structures as in Table 14, in sentences of our own."""

import pytest

from discobench.synthesis.detokenise import detokenise
from discobench.synthesis.mending import article
from discobench.synthesis.pruning import Pruning, Sentence, deletions
from discobench.synthesis.trees import read_tree
from tests.synthesis.phrases import ALL, EVERYTHING, HEADS, RULES, chosen, drawn, source_of

# (tree, phrases that go, source); the first seven have the shapes of Table 14.
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
        "(S (S (NP (PRP She)) (VP (VBD woke))) (, ,) (CC and) (S (NP (DT a) (NN doctor)) (VP (VBD was) (VP (VBN sent) "
        "(SBAR (WHNP (WP who)) (S (VP (VBD was) (S (VP (TO to) (VP (VB hear) (NP (PRP her)))))))))))(. .))",
        ["who was to hear her"],
        "She woke, and a doctor was sent.",
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
    (
        "(S (NP (DT A) (JJ big) (, ,) (JJ empty) (NN hall)) (VP (VBD waited)) (. .))",
        ["empty"],
        "A big hall waited.",
    ),
    (
        "(S (`` \") (ADVP (RB Perhaps)) (NP (PRP he)) (VP (VBD fell)) (, ,) ('' \") (NP (PRP she)) "
        "(VP (VBD said)) (. .))",
        ["Perhaps"],
        '"He fell," she said.',
    ),
]


@pytest.mark.parametrize(("bracketed", "phrases", "source"), SHAPES)
def test_given_spans_give_exactly_the_source(bracketed: str, phrases: list[str], source: str) -> None:
    tree = read_tree(bracketed)
    words = tree.words()
    text, tokens = detokenise(words)
    spans = []
    for phrase in phrases:
        size = len(phrase.split(" "))
        start = next(n for n in range(len(words)) if words[n : n + size] == phrase.split(" "))
        spans.append((start, start + size))
    assert source_of(text, Sentence(words, tokens, chosen(tree, spans))) == source


@pytest.mark.parametrize(
    ("bracketed", "source"),
    [
        ("(S (NP (DT A) (JJ big) (, ,) (JJ empty) (NN hall)) (VP (VBD waited)) (. .))", "A hall waited."),
        ("(S (PP (IN In) (NP (NN winter))) (, ,) (NP (JJ old) (NNS men)) (VP (VBD slept)) (. .))", "Men slept."),
        (
            "(S (NP (NP (NNP Bo)) (, ,) (NP (DT a) (NN baker)) (, ,)) (VP (VBD sang) (ADVP "
            "(RB very) (RB softly))) (. .))",
            "Bo sang.",
        ),
        (
            "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD sang))))) (VP (VBD left)) (. .))",
            "the man who sang left.",
        ),
        (
            "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD sang) (NP "
            "(PRP it)))))) (VP (VBD left)) (. .))",
            "the man left.",
        ),
        (
            "(S (NP (PRP She)) (VP (VBD found) (NP (NP (DT the) (NN song)) (SBAR (S (NP (PRP he)) "
            "(VP (VBD loved)))))) (. .))",
            "She found the song.",
        ),
        (
            "(S (NP (NP (DT the) (NNS men)) (VP (VBG waiting) (PP (IN at) (NP (NN sea))))) (VP (VBD sang)) (. .))",
            "the men sang.",
        ),
        (
            "(S (NP (DT the) (NN gold) (NN ring)) (VP (VBD shone) (PP (IN during) (NP (DT the) (NN dance)))) (. .))",
            "the ring shone.",
        ),
        (
            "(S (NP (PRP He)) (VP (VBD drank) (, ,) (PP (IN with) (NP (DT a) (NN sigh)))) (. .))",
            "He drank.",
        ),
    ],
)
def test_rules_take_modifiers(bracketed: str, source: str) -> None:
    assert drawn(bracketed) == source


def test_heads_go_only_when_asked() -> None:
    tree = "(S (NP (EX There)) (VP (VBD came) (NP (NP (DT the) (NN loss)) (PP (IN of) (NP (NN land))))) (. .))"
    assert drawn(tree) == "There came the loss of land."
    assert drawn(tree, HEADS) == "There came the land."


def test_each_rule_is_for_a_type_and_only_flagged_ones_take_heads() -> None:
    assert {rule.type for rule in RULES} == set(ALL)
    assert [rule.name for rule in RULES if rule.heads] == ["noun.head"]


def test_rates_by_type_decide_what_goes_and_what_could_have_is_counted() -> None:
    tree = read_tree(
        "(S (NP (DT the) (JJ old) (NN man)) (ADVP (RB slowly)) (VP (VBD opened) (NP (DT the) "
        "(JJ red) (NN door))) (. .))"
    )
    found, seen = deletions(tree, "t", Pruning(RULES, ALL | {"adverb": 0.0}, False, 1, 1))
    assert [d.rule.type for d in found] == ["adjective", "adjective"]
    assert seen == {"adjective": 2, "adverb": 1}
    drawn_at_half = Pruning(RULES, dict.fromkeys(ALL, 0.5), False, 1, 1)
    taken = sum(len(deletions(tree, str(n), drawn_at_half)[0]) for n in range(300))
    assert 380 < taken < 520
    assert deletions(tree, "7", drawn_at_half) == deletions(tree, "7", drawn_at_half)


def test_nothing_readable_or_no_verb_left_means_nothing_goes() -> None:
    assert drawn("(S (NP (DT the) (JJ old) (NN man)) (. .))") == "the old man."
    mistaken = "(NP (NP (DT The) (NNS men)) (VP (VBN dressed) (PP (IN in) (NP (NN white)))) (. .))"
    assert drawn(mistaken) == "The men dressed in white."
    assert EVERYTHING.max_share == 1.0


def test_articles_go_by_sound_not_by_letter() -> None:
    an = "owl hour heir honest uncle unimportant onerous utter X-ray MP FBI 8 80 11th 18"
    a = "house one oneness unit unanimous European ewe utopia urine Ukrainian US UFOs U-turn NASA 1 110 12"
    assert {article(word) for word in an.split(" ")} == {"an"} and {article(word) for word in a.split(" ")} == {"a"}
