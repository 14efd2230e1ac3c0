"""Conjunction: a connective gives way to one of another class (不过 → 所以, however → therefore)."""

from collections.abc import Iterator

from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, cased, find, following, opens, words


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Connectives where a clause begins; what replaces them is of the same kind of word and of no class of theirs."""
    for frame, classes in lexicon.connectives.items():
        wanted = {
            word: name
            for name, own in classes.items()
            if name not in lexicon.only_wrong
            for word in own
            if word not in lexicon.never_wrong
        }
        for word in find(scene.text, scene.language, wanted):
            anywhere = word.text in lexicon.anywhere or opens(scene.text, word.start)
            if anywhere and (scene.before or word.start) and _fits(scene, word, frame, lexicon):
                yield Change(word.start, word.end, _others(scene, word, wanted[word.text.lower()], classes))


def _fits(scene: Scene, word: Word, frame: str, lexicon: Lexicon) -> bool:
    """Whether a word that may be several is the one that ``frame`` takes it for."""
    text, then = scene.text, following(scene.text, word.end, scene.language)
    if then is None:
        return False
    if frame == "clause":
        comma = then.text in "，,"
        return word.text not in lexicon.grammar["doubtful"] or comma or then.tag.startswith("nr") or then.tag == "r"
    if (then.text == ",") != (frame == "adverb"):
        return False
    before = [other.text.lower() for other in words(text, "en") if other.end <= word.start][-1:]
    if frame == "conjunction" and before and before[0] in lexicon.grammar["bound"]:
        return False
    return word.text.lower() not in lexicon.grammar["clausal"] or _begins_clause(then, lexicon)


def _begins_clause(then: Word, lexicon: Lexicon) -> bool:
    """Whether a word may be the first of a clause."""
    return then.text[0].isupper() or then.text in (*lexicon.grammar["subjects"], *lexicon.grammar["determiners"])


def _others(scene: Scene, word: Word, own: str, classes: dict[str, list[str]]) -> tuple[tuple[str, str], ...]:
    """Those of other classes; before a comma in Chinese those that may have one."""
    old = word.text
    mine = {name for name, words in classes.items() if old.lower() in words}
    short = scene.language == "zh" and scene.text[word.end : word.end + 1] in ("，", ",")
    return tuple(
        (cased(other, old), f"{own} → {name}")
        for name, words in classes.items()
        if name not in mine
        for other in words
        if not (short and len(other) == 1) and not any(other in classes[same] for same in mine)
    )
