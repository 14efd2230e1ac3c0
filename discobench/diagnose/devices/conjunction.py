"""Conjunction: a connective gives way to one of another class (不过 → 所以, however → therefore)."""

from collections.abc import Iterator

from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, cased, find, following, opens

SUBJECTS = frozenset(
    ("I", "he", "she", "it", "we", "they", "you", "this", "that", "there", "the", "his", "her", "then")
)
"""What may follow an `and` between clauses."""


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Connectives where a clause begins; what replaces them is of the same kind of word and of no class of theirs."""
    for frame, classes in lexicon.connectives.items():
        wanted = {word: name for name, words in classes.items() if name not in lexicon.only_wrong for word in words}
        for word in find(scene.text, scene.language, wanted):
            anywhere = word.text in lexicon.anywhere or opens(scene.text, word.start)
            if anywhere and (scene.before or word.start) and _fits(scene.text, word, frame):
                yield Change(word.start, word.end, _others(word.text, wanted[word.text.lower()], classes))


def _fits(text: str, word: Word, frame: str) -> bool:
    """Whether a word that may be an adverb or a conjunction is what ``frame`` takes it for: a comma tells."""
    if frame == "clause":
        return True
    if word.text.lower() == "and":
        then = following(text, word.end, "en")
        return then is not None and then.text in SUBJECTS
    return text[word.end :].lstrip().startswith(",") == (frame == "adverb")


def _others(old: str, own: str, classes: dict[str, list[str]]) -> tuple[tuple[str, str], ...]:
    mine = {name for name, words in classes.items() if old.lower() in words}
    return tuple(
        (cased(word, old), f"{own} → {name}")
        for name, words in classes.items()
        if name not in mine
        for word in words
        if not any(word in classes[other] for other in mine)
    )
