"""Substitution: what stands for something is replaced by that thing itself (当时 → 周二晚九时, one → dress)."""

import re
from collections.abc import Iterator

from discobench.diagnose.deeds import SUBJECT, does_more, last_deed
from discobench.diagnose.english import ends, held, nominal
from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.measures import measured, measures
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import OPENERS, Word, cased, find, following, opens, words

DID = re.compile(rf"{SUBJECT}(did|does|do)(?: so| too)?(?=[,.;!?”\"]|$)")
FORMS = ("do", "does", "did")
PREDICATES = ("是", "在", "更", "也", "都", "就", "被", "却", "才", "比", "已经")
"""What may follow a Chinese word for a thing that stands alone."""
NEAR = 2
"""Sentences in which the time was named that a word takes up."""
LEAD = 6
"""Code points that may stand before a Chinese word for a time, such as a connective with its comma."""
OF = ("of", "from", "until", "till", "since", "by", "for", "to", "on", "before", "after")
"""What makes an English word for a time a part of something else."""


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Words for times, for things and, in English, for what is done."""
    yield from _times(scene, lexicon)
    yield from _others(scene, lexicon) if scene.language == "zh" else _things(scene, lexicon)
    yield from _deeds(scene, lexicon)


def _times(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The last time that was named shortly before, where the sentence has not named another."""
    pattern = re.compile("|".join(f"(?:{part})" for part in lexicon.times))
    named = [time for text in scene.before[-NEAR:] for time in _named(pattern, text, scene.language)]
    for word in find(scene.text, scene.language, lexicon.substitutes["time"]) if named else ():
        if _stands(scene, word) and not pattern.search(scene.text[: word.start]):
            yield Change(word.start, word.end, ((cased(named[-1], word.text), "time"),))


def _named(pattern: re.Pattern[str], text: str, language: str) -> list[str]:
    """The times of a sentence; Chinese ones with which a clause begins, or that somebody does something at."""
    if language == "en":
        return [found[0] for found in pattern.finditer(text)]
    text = "".join(text.split())
    edges = {word.end: word for word in words(text, language)}
    return [
        found[0]
        for found in pattern.finditer(text)
        if opens(text, found.start()) or (found.start() in edges and edges[found.start()].tag[:1] in ("r", "p", "nr"))
    ]


def _stands(scene: Scene, word: Word) -> bool:
    """Whether a word for a time says when the whole sentence happens."""
    if scene.language == "zh":
        alone = not scene.text[word.end :].lstrip().startswith(("的", "里"))
        return alone and opens(scene.text, word.start) and word.start <= LEAD
    own = [other.text.lower() for other in words(scene.text, "en") if other.end <= word.start]
    return not own or own[-1] not in OF


def _others(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Chinese: `another`, `the second` and the like with a measure, for the last noun that was counted by it."""
    said = [pair for text in scene.before[-NEAR:] for pair in measured(text, lexicon)]
    stands = "|".join(map(re.escape, lexicon.substitutes["beside"]))
    for found in re.finditer(rf"(?:{stands})({measures(lexicon)})", scene.text):
        nouns = [noun for measure, noun in said if measure == found[1]]
        if nouns and opens(scene.text, found.start()) and _alone(scene.text, found.end()):
            yield Change(found.start(), found.end(), ((found[0] + nouns[-1], "noun"),))


def _alone(text: str, at: int) -> bool:
    then = following(text, at, "zh")
    return then is None or (then.mark and then.text not in OPENERS) or then.text in PREDICATES


def _things(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """English: the last thing that was named, for `one` behind what describes it and for `some` that somebody has."""
    things = {form: many for form, (name, many) in lexicon.classes.items() if name in lexicon.countable}
    said = [
        word.text.lower()
        for text in scene.before[-NEAR:]
        for word in find(text, "en", things)
        if nominal(text, word, things[word.text.lower()], lexicon)
    ]
    for kind, fits in (("whole", _described), ("beside", _had)):
        for word in find(scene.text, "en", lexicon.substitutes[kind]):
            fitting = [noun for noun in said if things[noun] == _many(word, kind)]
            if fitting and ends(scene.text, word.end) and fits(scene, word, lexicon):
                noun = fitting[-1]
                yield Change(word.start, word.end, ((noun if kind == "whole" else f"{word.text} {noun}", "noun"),))


def _many(word: Word, kind: str) -> bool:
    return word.text.lower() == "ones" if kind == "whole" else word.text.lower() != "another"


def _described(scene: Scene, word: Word, lexicon: Lexicon) -> bool:
    """Whether `one` has a determiner and a word before it that tells it from others of its kind."""
    own = [other.text.lower() for other in words(scene.text, "en") if other.end <= word.start][-2:]
    return len(own) == 2 and own[0] in lexicon.grammar["determiners"] and own[1] in lexicon.grammar["describing"]


def _had(scene: Scene, word: Word, lexicon: Lexicon) -> bool:
    return held(scene.text, word.start, lexicon)


def _deeds(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """`did` for the last thing that was done."""
    deed = last_deed(scene, lexicon) if scene.language == "en" else None
    for found in DID.finditer(scene.text) if deed else ():
        if deed and ends(scene.text, found.end()) and not does_more(scene, found.start(1), lexicon):
            yield Change(found.start(1), found.end(1), ((deed[FORMS.index(found[1])], "verb"),))
