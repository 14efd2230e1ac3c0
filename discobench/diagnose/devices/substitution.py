"""Substitution: what stands for something is replaced by that thing itself (当时 → 周二晚九时, one → dress)."""

import re
from collections.abc import Iterator

from discobench.diagnose.deeds import SUBJECT, last_deed
from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import OPENERS, Word, cased, find, following, opens

TIDY = re.compile(r"\s+")
DID = re.compile(rf"{SUBJECT}(did|does|do)(?: so| too)?(?=[,.;!?—”\"]|$)")
FORMS = ("do", "does", "did")
PREDICATES = ("是", "在", "更", "也", "都", "就", "被", "却", "才", "呢", "吧", "吗", "比", "已经")
"""What may follow a Chinese word for a thing that stands alone."""


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Words for times, for things and, in English, for what is done."""
    yield from _times(scene, lexicon)
    yield from _things(scene, lexicon)
    yield from _deeds(scene, lexicon)


def _times(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The last time that was named before."""
    pattern = "|".join(f"(?:{part})" for part in lexicon.times)
    text = " ".join(scene.before) if scene.language == "en" else "".join(scene.before)
    if scene.language == "zh":
        text = TIDY.sub("", text)
    named = [found[0] for found in re.finditer(pattern, text) if found[0]]
    for word in find(scene.text, scene.language, lexicon.substitutes["time"]) if named else ():
        if scene.language == "en" or opens(scene.text, word.start):
            yield Change(word.start, word.end, ((cased(named[-1], word.text), "time"),))


def _things(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The last noun before, in the number of what stands for it."""
    nouns = lexicon.classes
    said = [word.text.lower() for text in scene.before for word in find(text, scene.language, nouns)]
    for kind in ("beside", "whole"):
        for word in find(scene.text, scene.language, lexicon.substitutes[kind]):
            fitting = [noun for noun in said if nouns[noun][1] == _many(word, kind, scene.language)]
            if fitting and _alone(scene, word):
                noun = fitting[-1] if scene.language == "zh" or kind == "whole" else f" {fitting[-1]}"
                yield Change(word.start, word.end, ((noun if kind == "whole" else word.text + noun, "noun"),))


def _many(word: Word, kind: str, language: str) -> bool:
    return language == "en" and (kind == "beside" or word.text.lower() == "ones") and word.text.lower() != "another"


def _alone(scene: Scene, word: Word) -> bool:
    """Whether no noun follows that the word belongs to; English `one` has a describing word before it."""
    then = following(scene.text, word.end, scene.language)
    if scene.language == "zh":
        return then is None or (then.mark and then.text not in OPENERS) or then.text in PREDICATES
    lone = then is None or then.mark
    return lone and (word.text.lower() not in ("one", "ones") or not opens(scene.text, word.start))


def _deeds(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """`did` for the last thing that was done."""
    deed = last_deed(scene, lexicon)
    for found in DID.finditer(scene.text):
        if deed is None:
            return
        yield Change(found.start(1), found.end(1), ((deed[FORMS.index(found[1])], "verb"),))
