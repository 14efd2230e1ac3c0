"""Reference: a pronoun gives way to one of another gender or number (他 → 她, he → they)."""

from collections.abc import Iterator

from discobench.diagnose.lexicon import Lexicon, Pronoun
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, begins, cased, find, following, words

AFTER_OBJECTS = ("particles", "determiners", "limits")
"""Kinds of words that do not begin what somebody may possess."""


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Pronouns with something before them that they may refer to."""
    forms = {pronoun.form for pronoun in lexicon.pronouns}
    if not _antecedent(scene, forms, lexicon):
        return
    for word in find(scene.text, scene.language, forms):
        for pronoun in lexicon.pronouns:
            if pronoun.form == word.text.lower() and _case(scene, word, lexicon) in ("any", pronoun.case):
                yield Change(word.start, word.end, _others(scene, word, pronoun, lexicon))


def _others(scene: Scene, word: Word, pronoun: Pronoun, lexicon: Lexicon) -> tuple[tuple[str, str], ...]:
    next_word = following(scene.text, word.end, scene.language)
    verb = next_word.text.lower() if next_word else ""
    agrees = pronoun.case != "subject" or verb in lexicon.invariant or verb.endswith("ed")
    number = pronoun.number if agrees else []
    return tuple(
        (cased(o, word.text), k) for k, forms in (("gender", pronoun.gender), ("number", number)) for o in forms
    )


def _case(scene: Scene, word: Word, lexicon: Lexicon) -> str:
    """The case of an English pronoun as far as its form leaves it open; ``none`` for an `it` that may mean nothing."""
    if scene.language != "en":
        return "any"
    form, then = word.text.lower(), following(scene.text, word.end, "en")
    kinds = AFTER_OBJECTS if form == "it" else (*AFTER_OBJECTS, "copulas", "subjects")
    alone = then is None or then.mark or any(then.text.lower() in lexicon.grammar[kind] for kind in kinds)
    if form == "her":
        return "object" if alone else "possessive"
    if form == "it":
        return "object" if alone and not begins(scene.text, word.start) else "none"
    return "none" if form == "his" and alone else "any"


def _antecedent(scene: Scene, forms: set[str], lexicon: Lexicon) -> bool:
    """Whether a pronoun, a noun or a name stands before."""
    if scene.language == "en":
        return any(find(text, "en", forms) or _names(text, lexicon) for text in scene.before)
    return any(word.noun or word.text in forms for text in scene.before for word in words(text, scene.language))


def _names(text: str, lexicon: Lexicon) -> bool:
    """Whether an English sentence has a capital that is not its first, or a noun with an article."""
    own = words(text, "en")
    articles = any(word.text.lower() in lexicon.grammar["articles"] for word in own)
    return articles or any(word.text[0].isupper() and word.text != "I" for word in own)
