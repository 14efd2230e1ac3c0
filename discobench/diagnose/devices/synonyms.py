"""Synonyms: the sentence takes up a word by another of its meaning; one of another meaning replaces it (帅 → 丑陋)."""

from collections.abc import Iterator

from discobench.diagnose.devices.repetition import instead
from discobench.diagnose.english import adjectival, nominal
from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, common, compound, find, following

Meant = tuple[Word, int, str, bool]
"""A word, its group, the entry that it is a form of, and whether it is a plural."""


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Words of a group of which another word stands before."""
    said = {(n, entry) for text in scene.before for _, n, entry, _ in _meant(scene, text, lexicon)}
    for word, n, entry, many in _meant(scene, scene.text, lexicon):
        before = {other for group, other in said if group == n}
        if before - {entry} and common(scene.text, word, scene.language):
            group = lexicon.synonyms[n]
            others = [lexicon.plural(other) if many else other for other in group.other]
            yield Change(word.start, word.end, instead(scene, word.start, word.text, others, group.kind))


def _meant(scene: Scene, text: str, lexicon: Lexicon) -> Iterator[Meant]:
    """Words of the lexicon's groups where they stand as the nouns or adjectives that those are of."""
    for word in find(text, scene.language, lexicon.meanings):
        for n, entry, many in lexicon.meanings[word.text.lower()]:
            if _stands(scene.language, text, word, lexicon.synonyms[n].kind == "noun", many, lexicon):
                yield word, n, entry, many


def _stands(language: str, text: str, word: Word, noun: bool, many: bool, lexicon: Lexicon) -> bool:
    if language == "zh":
        return not (compound if noun else _adverbial)(text, word)
    return nominal(text, word, many, lexicon) if noun else adjectival(text, word, lexicon)


def _adverbial(text: str, word: Word) -> bool:
    """Whether a Chinese adjective says how or how easily what follows is done (容易入睡)."""
    then = following(text, word.end, "zh")
    return then is not None and then.start == word.end and then.tag == "v"
