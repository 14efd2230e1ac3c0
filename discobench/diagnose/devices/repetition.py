"""Repetition: a noun of the sentence stood before; another noun of its class takes its place (拍卖行 → 公司)."""

from collections.abc import Iterator

from discobench.diagnose.english import nominal
from discobench.diagnose.lexicon import VOWELS, Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, cased, common, compound, find


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Nouns of the lexicon that are repeated; the others of the class must be new to the window."""
    nouns = lexicon.classes
    said = {
        word.text.lower()
        for text in scene.before
        for word in find(text, scene.language, nouns)
        if _noun(scene, text, word, lexicon)
    }
    for word in find(scene.text, scene.language, nouns):
        noun = word.text.lower()
        if noun in said and common(scene.text, word, scene.language) and _noun(scene, scene.text, word, lexicon):
            name = nouns[noun][0]
            yield Change(word.start, word.end, instead(scene, word.start, word.text, lexicon.like(noun), name))


def _noun(scene: Scene, text: str, word: Word, lexicon: Lexicon) -> bool:
    """Whether a word of the lexicon's is a noun there, and in Chinese no part of a longer one."""
    if scene.language == "en":
        return nominal(text, word, lexicon.classes[word.text.lower()][1], lexicon)
    return not compound(text, word)


def instead(scene: Scene, at: int, old: str, others: list[str], name: str) -> tuple[tuple[str, str], ...]:
    """Those words that may stand in place of ``old``: new to the window, and after `a` and `an` like ``old``."""
    article = scene.text[:at].lower().endswith((" a ", " an ", "\na ")) or scene.text[:at].lower() in ("a ", "an ")
    same = [w for w in others if not article or (w[0] in VOWELS) == (old[0].lower() in VOWELS)]
    return tuple((cased(word, old), name) for word in same if not scene.says(word))
