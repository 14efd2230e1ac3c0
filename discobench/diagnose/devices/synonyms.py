"""Synonyms: the sentence takes up a word by another of its meaning; one of another meaning replaces it (帅 → 丑陋)."""

from collections.abc import Iterator

from discobench.diagnose.devices.repetition import instead
from discobench.diagnose.english import adjectival, nominal
from discobench.diagnose.lexicon import Group, Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, common, compound, find, following


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Words of a group of which another word stands before."""
    for group in lexicon.synonyms:
        forms = _forms(group, lexicon)
        said = {forms[word.text.lower()][0] for text in scene.before for word in _meant(scene, text, group, lexicon)}
        for word in _meant(scene, scene.text, group, lexicon):
            meant, many = forms[word.text.lower()]
            if said - {meant} and common(scene.text, word, scene.language):
                others = [lexicon.plural(other) if many else other for other in group.other]
                yield Change(word.start, word.end, instead(scene, word.start, word.text, others, group.kind))


def _meant(scene: Scene, text: str, group: Group, lexicon: Lexicon) -> list[Word]:
    """Where words of the group stand as the nouns or adjectives that it is of."""
    forms = _forms(group, lexicon)
    found = find(text, scene.language, forms)
    if scene.language == "zh":
        return [word for word in found if not (_adverbial if group.kind == "adjective" else compound)(text, word)]
    if group.kind == "noun":
        return [word for word in found if nominal(text, word, forms[word.text.lower()][1], lexicon)]
    return [word for word in found if adjectival(text, word, lexicon)]


def _adverbial(text: str, word: Word) -> bool:
    """Whether a Chinese adjective says how or how easily what follows is done (容易入睡)."""
    then = following(text, word.end, "zh")
    return then is not None and then.start == word.end and then.tag == "v"


def _forms(group: Group, lexicon: Lexicon) -> dict[str, tuple[str, bool]]:
    """Every form of the group's words: the word, and whether it is a plural."""
    forms = {word: (word, False) for word in group.words}
    if group.kind == "noun" and lexicon.language == "en":
        return {lexicon.plural(word): (word, True) for word in group.words} | forms
    return forms
