"""What deletion must leave alone, and rule files with faults."""

import re
from pathlib import Path

import pytest

from discobench.errors import DiscoError
from discobench.synthesis.rules import load_rules, word_list
from discobench.synthesis.trees import read_tree
from tests.synthesis.phrases import drawn


def _vp(inside: str, subject: str = "(NP (PRP She))") -> str:
    return f"(S {subject} (VP {inside}) (. .))"


def _np(inside: str) -> str:
    return f"(S (NP (PRP She)) (VP (VBD saw) (NP {inside})) (. .))"


ARGUMENTS = [
    _vp("(VBD looked) (PP (IN at) (NP (PRP him)))"),
    _vp("(VBD put) (NP (NP (DT the) (NN cup)) (PP (IN on) (NP (DT the) (NN shelf))))"),
    _vp("(VBD filled) (NP (NP (DT the) (NN cup)) (PP (IN with) (NP (NN tea))))"),
    _vp("(VBD gave) (NP (PRP him)) (NP (DT the) (NN cup))"),
    _vp("(VBD was) (ADJP (JJ old))"),
    _vp("(VBD was) (ADVP (RB now))"),
    _vp("(VBD said) (SBAR (IN that) (S (NP (PRP he)) (VP (VBD left))))"),
    _vp("(VBD asked) (SBAR (WHNP (WP who)) (S (VP (VBD had) (VP (VBN come)))))"),
    _vp(
        "(VBD told) (NP (NP (DT the) (NN man)) (SBAR (WHNP (WDT that)) (S (NP (NN tea)) (VP "
        "(VBD was) (ADJP (JJ hot))))))"
    ),
    _vp("(VBD behaved) (ADVP (RB badly))"),
    _vp("(VBD went) (ADVP (RB home))"),
    _vp("(VBD wanted) (S (VP (TO to) (VP (VB go))))"),
    _vp("(VBD knew) (NP (NP (DT the) (NN fact)) (SBAR (WHNP (WDT that)) (S (NP (PRP he)) (VP (VBD left)))))"),
    _vp("(VBD slept) (PP (IN of) (NP (NN grief)))"),
    _vp("(VBD dreamt) (, ,) (PP (IN of) (NP (NN home)))"),
    _vp("(VBD lasted) (PP (IN for) (NP (NNS hours)))", "(NP (DT the) (NN rain))"),
    "(S (PP (IN In) (NP (DT the) (NN hall))) (VP (VBD stood) (NP (DT a) (NN clock))) (. .))",
    "(S (ADVP (RB Then)) (VP (VBD came) (NP (DT the) (NN rain))) (. .))",
]
NEGATION = [
    _vp("(VBD did) (RB not) (VP (VB go))"),
    _vp("(VBD did) (RB n't) (VP (VB go))"),
    _vp("(ADVP (RB never)) (VBD went)"),
    _vp("(VBD had) (ADVP (RB hardly)) (VP (VBN slept))"),
    _vp("(VBD had) (ADVP (RB no) (RBR longer)) (VP (VBN slept))"),
    "(S (NP (PRP She)) (ADVP (RB no) (RB longer)) (VP (VBD slept)) (. .))",
    "(S (NP (PRP She)) (ADVP (RB rarely)) (VP (VBD slept)) (. .))",
    _vp("(VBD drank) (, ,) (PP (IN without) (NP (NN milk)))"),
    _np("(NP (DT a) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD did) (RB not) (VP (VB sing)))))"),
    _np("(DT no) (JJ old) (NN man)"),
]
PARTICLES = [
    _vp("(VBD gave) (PRT (RP up))"),
    _vp("(VBD came) (ADVP (RB back))"),
    _vp("(VBD ran) (ADVP (RB away))"),
    _vp("(VBD sat) (ADVP (RB down)) (S (VP (TO to) (VP (VB eat))))"),
    _vp("(VBD looked) (PP (IN after) (NP (PRP$ her) (NN son)))"),
    _vp("(VBD put) (PRT (RP on)) (NP (DT the) (NN coat))"),
]
QUANTIFIERS = [
    "(S (NP (NP (DT all)) (PP (IN from) (NP (DT the) (NN coast)))) (VP (VBD left)) (. .))",
    "(S (NP (NP (JJ few) (NNS men)) (PP (IN from) (NP (DT the) (NN coast)))) (VP (VBD left)) (. .))",
    "(S (NP (NP (DT those)) (SBAR (WHNP (WP who)) (S (VP (VBD sang) (ADVP (RB well)))))) (VP (VBD left)) (. .))",
    "(S (NP (NP (NN everyone)) (SBAR (WHNP (WP who)) (S (VP (VBD sang) (ADVP (RB well)))))) (VP (VBD left)) (. .))",
    "(S (NP (NP (DT no) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD sang) (ADVP (RB well)))))) (VP (VBD left)) (. .))",
    "(S (NP (JJ many) (NNS men)) (VP (VBD left)) (. .))",
    "(S (NP (NP (NNS most)) (VP (VBG living) (PP (IN at) (NP (NN sea))))) (VP (VBD left)) (. .))",
]
BOUND = [
    _vp("(VBD was) (NP (CD four) (NN o) (NN 'clock))", "(NP (PRP It))"),
    _np("(DT the) (JJ same) (NN man)"),
    _np("(PRP$ her) (JJ own) (NN son)"),
    _np("(DT a) (JJ great) (NN deal)"),
    _np("(DT a) (JJ long) (NN way)"),
    _np("(DT the) (JJ red) (CC and) (JJ white) (NN flag)"),
    _np("(ADJP (RB so) (JJ old)) (DT a) (NN man)"),
    _np("(DT the) (NNP Great) (NNP Lake)"),
    _np("(NP (DT the) (NN moment)) (SBAR (S (NP (PRP he)) (VP (VBD left))))"),
    _vp("(VBD ran) (ADVP (RB as) (RB quickly)) (PP (IN as) (NP (PRP him)))"),
    _vp("(VBD was) (ADJP (RB so) (JJ old))"),
    _vp("(VBD sang) (CC and) (VBD danced) (ADVP (RB gladly))"),
    "(S (`` \") (ADVP (RB Perhaps)) (, ,) ('' \") (NP (PRP she)) (VP (VBD said)) (. .))",
    _vp("(VBD stopped) (: ;) (, ,) (PP (IN by) (NP (NN night)))"),
    "(S (NP (NP (NN tea)) (, ,) (NP (NN milk)) (, ,) (CC and) (NP (NN bread))) (VP (VBD stood) "
    "(ADVP (RB there))) (. .))",
]


@pytest.mark.parametrize("bracketed", [*ARGUMENTS, *NEGATION, *PARTICLES, *QUANTIFIERS, *BOUND])
def test_left_alone(bracketed: str) -> None:
    whole = " ".join(read_tree(bracketed).words())
    kept = re.sub(r"(n't|[,;.\"])", r" \1 ", drawn(bracketed))
    assert " ".join(kept.split()) == whole


def test_words_may_end_or_begin_openly() -> None:
    words = word_list(["now", "*ly", "look*"])
    assert all(word in words for word in ("now", "softly", "looked"))
    assert "nowhere" not in words and "outlook" not in words


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{name: a, type: noun, label: [NN], colour: red}", "colour"),
        ("{name: a, type: verb, label: [VB]}", "verb"),
        ("{name: a, type: noun}", "label"),
        ("{name: a, type: noun, label: [NN]}\n  - {name: a, type: noun, label: [NN]}", "two rules"),
        ("{name: a, type: noun, label: NN}", "list of texts"),
        ("{name: a, type: noun, label: [NN], lacks: [no, not]}", "quote no"),
        ("{name: a, type: noun, label: [NN], least: two}", "int is needed"),
        ("{name: a, type: noun, label: [NN], commas: three}", "three"),
        ("{name: a, type: noun, label: [NN]", "YAML"),
        ("only words", "each a mapping"),
        ("{name: 3, type: noun, label: [NN]}", "name holds 3"),
        ("{name: a, type: noun, label: [NN], lacks: [one], lacks: [two]}", "twice"),
        ("{name: a, type: noun, label: [NN], lacks: ['un*ly']}", r"'un\*ly'; one \* may begin or end"),
        ("{name: a, type: noun, label: [NN], lacks: ['*']}", "a letter or more"),
        ("{name: a, type: noun, label: [NN], lacks: [The]}", "lower case: write 'the'"),
        ("{name: a, type: noun, label: [NN], least: 3, most: 2}", "bounds"),
    ],
)
def test_a_faulty_rule_is_named(tmp_path: Path, entry: str, message: str) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(f"rules:\n  - {entry}\n", encoding="utf-8")
    with pytest.raises(DiscoError, match=message):
        load_rules(path)


def test_a_list_may_name_a_shared_one(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(
        "lists: {few: &few [one, two]}\nrules:\n  - {name: a, type: noun, label: [NN], lacks: [*few, three]}\n",
        encoding="utf-8",
    )
    ((_, words),) = load_rules(path)[0].conditions
    assert all(word in words for word in ("one", "two", "three"))
