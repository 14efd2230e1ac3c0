"""Synonyms: the sentence takes up a word by another of its meaning; one of another meaning replaces it (帅 → 丑陋)."""

from collections.abc import Iterator

from discobench.diagnose.devices.repetition import instead
from discobench.diagnose.lexicon import Group, Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import common, find


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Words of a group of which another word stands before."""
    for group in lexicon.synonyms:
        forms = _forms(group, lexicon)
        said = {forms[word.text.lower()][0] for text in scene.before for word in find(text, scene.language, forms)}
        for word in find(scene.text, scene.language, forms):
            meant, many = forms[word.text.lower()]
            if said - {meant} and common(scene.text, word, scene.language):
                others = [lexicon.plural(other) if many else other for other in group.other]
                yield Change(word.start, word.end, instead(scene, word.start, word.text, others, group.kind))


def _forms(group: Group, lexicon: Lexicon) -> dict[str, tuple[str, bool]]:
    """Every form of the group's words: the word, and whether it is a plural."""
    forms = {word: (word, False) for word in group.words}
    if group.kind == "noun" and lexicon.language == "en":
        return {lexicon.plural(word): (word, True) for word in group.words} | forms
    return forms
