"""Lexicons: enough entries of every class, none of them odd."""

import pytest

from discobench.diagnose import lexicon as module
from discobench.diagnose.lexicon import lexicon
from discobench.errors import DiscoError
from tests.support import ROOT

LANGUAGES = ("zh", "en")
LEAST = {"connectives": 4, "nouns": 12, "words": 2, "other": 3}
GROUPS = {"adjective": 50, "noun": 50}
SUBSTITUTES = {
    "zh": {"time": 8, "beside": 10, "place": 2, "former": 1, "latter": 1},
    "en": {"time": 6, "beside": 5, "whole": 2},
}
GRAMMAR = {
    "zh": {
        "actions": 50,
        "speech": 8,
        "doubtful": 5,
        "single": 15,
        "anew": 5,
        "summed": 12,
        "predicates": 8,
        "where": 4,
        "joints": 4,
        "vague": 6,
    },
    "en": {
        "determiners": 20,
        "subjects": 15,
        "copulas": 20,
        "degrees": 10,
        "limits": 10,
        "holders": 40,
        "describing": 40,
        "particles": 40,
        "bound": 6,
        "clausal": 3,
        "pointing": 4,
        "of": 8,
        "before_then": 2,
        "articles": 4,
        "after_predicates": 8,
    },
}
LISTS = {
    "zh": {"measures": 40},
    "en": {"verbs": 100, "countable": 5, "invariant": 30, "plurals": 12, "anywhere": 5, "never_wrong": 3},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_class_has_enough_entries(language: str) -> None:
    words = lexicon(language)
    for frame, classes in words.connectives.items():
        assert {"additive", "adversative", "causal", "temporal"} <= set(classes)
        assert min(len(own) for own in classes.values()) >= LEAST["connectives"], frame
    assert min(len(own) for own in words.nouns.values()) >= LEAST["nouns"]
    assert min(len(group.words) for group in words.synonyms) >= LEAST["words"]
    assert min(len(group.other) for group in words.synonyms) >= LEAST["other"]
    for kind, least in GROUPS.items():
        assert sum(group.kind == kind for group in words.synonyms) >= least
    assert set(words.substitutes) == SUBSTITUTES[language].keys()
    for kind, least in SUBSTITUTES[language].items():
        assert len(words.substitutes[kind]) >= least, kind
    for kind, least in GRAMMAR[language].items():
        assert len(words.grammar[kind]) >= least, kind
    assert set(words.grammar) == GRAMMAR[language].keys()
    for name, least in LISTS[language].items():
        assert len(getattr(words, name)) >= least, name
    assert len(words.pronouns) >= 8 and len(words.times) >= 3 and len(words.numbers) >= 15


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_entry_stands_twice_or_contradicts_itself(language: str) -> None:
    words = lexicon(language)
    lists = [own for classes in words.connectives.values() for own in classes.values()]
    lists += [words.measures, words.numbers, words.invariant, words.anywhere, *words.grammar.values()]
    lists += [*words.nouns.values(), *words.substitutes.values(), *(group.words for group in words.synonyms)]
    assert [own for own in lists if len(set(own)) < len(own)] == []
    nouns = [noun for own in words.nouns.values() for noun in own]
    assert [noun for noun in nouns if nouns.count(noun) > 1] == []
    assert [group.words for group in words.synonyms if set(group.words) & set(group.other)] == []
    assert [p.form for p in words.pronouns if p.form in p.gender + p.number] == []
    assert [p.form for p in words.pronouns if not p.gender + p.number] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_entry_is_dead(language: str) -> None:
    """Exceptions are of connectives that are looked for, and irregular plurals of nouns that may stand somewhere."""
    words = lexicon(language)
    named = {name for classes in words.connectives.values() for name in classes}
    sought = {
        word
        for classes in words.connectives.values()
        for name, own in classes.items()
        if name not in words.only_wrong
        for word in own
    }
    assert set(words.only_wrong) <= named
    assert set(words.never_wrong) <= sought and set(words.anywhere) <= sought - set(words.never_wrong)
    assert set(words.grammar.get("doubtful", [])) | set(words.grammar.get("clausal", [])) <= sought
    nouns = {noun for own in words.nouns.values() for noun in own}
    nouns |= {word for group in words.synonyms for word in group.words + group.other}
    assert set(words.plurals) - nouns == set() and set(words.countable) <= set(words.nouns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lexicon_names_the_licence_of_the_project(language: str) -> None:
    head = (ROOT / f"resources/lexicons/{language}.yaml").read_text("utf-8").split("language:")[0]
    (licence,) = [
        line for line in (ROOT / "pyproject.toml").read_text("utf-8").split("\n") if line.startswith("license")
    ]
    assert licence.split('"')[1] in head


def test_plurals_by_rule_and_by_list() -> None:
    plurals = [lexicon("en").plural(noun) for noun in ("boy", "lady", "fox", "church", "foot", "knife")]
    assert plurals == ["boys", "ladies", "foxes", "churches", "feet", "knives"]


def test_a_language_without_lexicon_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DiscoError, match=r"no fr\.yaml, there are en, zh"):
        lexicon("fr")


def test_a_faulty_lexicon_is_named(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "resources/lexicons/zh.yaml").read_text("utf-8")
    (tmp_path / "xx.yaml").write_text(text.replace("only_wrong:", "only_wrongs:"), "utf-8")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    with pytest.raises(DiscoError, match=r"xx\.yaml: only_wrongs: unknown key; did you mean"):
        lexicon("xx")


@pytest.mark.parametrize(
    ("old", "new", "kind"), [("  vague: [", "  vaguer: [", "vague, vaguer"), ("[和, 与, 跟, 及, 或]", "[]", "joints")]
)
def test_a_lexicon_without_a_kind_of_words_is_refused(
    tmp_path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, kind: str
) -> None:
    text = (ROOT / "resources/lexicons/zh.yaml").read_text("utf-8")
    (tmp_path / "yy.yaml").write_text(text.replace(old, new), "utf-8")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    lexicon.cache_clear()
    with pytest.raises(DiscoError, match=rf"yy\.yaml: grammar lacks words of, or does not know, {kind}; it has "):
        lexicon("yy")
