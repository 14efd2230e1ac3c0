"""Substitution: what stands for something is replaced by that thing itself (当时 → 周二晚九时, one → dress)."""

import re
from collections.abc import Iterator

from discobench.diagnose.deeds import NAME, SUBJECT, does_more, last_clause, last_deed
from discobench.diagnose.english import ends, held, nominal
from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.measures import measured, measures
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import OPENERS, Word, cased, compound, find, following, opens, words

DID = re.compile(rf"{SUBJECT}((?:did|does|do)(?: the same| so| likewise)?)(?: too)?(?=[,.;!?”\"]|$)")
SO = re.compile(
    rf"(?:^|[“\"‘'] ?)(?:And |But )?{NAME} (?:do not |don['’]t |did not |didn['’]t )?"
    r"(?:think|thought|hope|hoped|suppose|supposed|believe|believed|guess|guessed) (so)(?=[,.;!?”\"]|$)"
)
FORMS = ("do", "does", "did")
NEAR = 2
"""Sentences in which the thing was named that `one` and `some` take up."""
KINDS = {"天": "[日号周]|星期|礼拜|除夕|中秋", "年": "年"}
"""What a time must hold that a Chinese word for a day or a year stands for, by its last character."""
LEAD = 6
"""Code points that may stand before a Chinese word for a time, such as a connective with its comma."""
DOERS = ("r", "p", "nr")
"""rjieba's tags of what stands before a time that somebody does something at: pronouns, prepositions, names."""


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Words for times, for things and, in English, for what is done."""
    yield from _times(scene, lexicon)
    if scene.language == "zh":
        yield from _others(scene, lexicon)
        yield from _places(scene, lexicon)
    else:
        yield from _things(scene, lexicon)
    yield from _deeds(scene, lexicon)


def _times(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The last time that was named, where the sentence has not named another."""
    pattern = re.compile(
        "|".join(rf"\b(?:{part})" if scene.language == "en" else f"(?:{part})" for part in lexicon.times), re.I
    )
    named = [time for text in scene.before for time in _named(pattern, text, scene.language)]
    for word in find(scene.text, scene.language, lexicon.substitutes["time"]) if named else ():
        fits = re.search(KINDS.get(word.text[-1], ""), named[-1])
        if fits and _stands(scene, word, lexicon) and not pattern.search(scene.text[: word.start]):
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
        if opens(text, found.start()) or (found.start() in edges and edges[found.start()].tag.startswith(DOERS))
    ]


def _stands(scene: Scene, word: Word, lexicon: Lexicon) -> bool:
    """Whether a word for a time says when the whole sentence happens."""
    if scene.language == "zh":
        alone = not scene.text[word.end :].lstrip().startswith(("的", "里"))
        return alone and opens(scene.text, word.start) and word.start <= LEAD
    own = [other.text.lower() for other in words(scene.text, "en") if other.end <= word.start]
    apart = not own or own[-1] not in lexicon.grammar["of"]
    if word.text.lower() != "then":
        return apart
    joined = not own or not own[-1].isalpha() or own[-1] in lexicon.grammar["before_then"]
    return apart and not joined and ends(scene.text, word.end)


def _others(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Chinese: `another`, `the second` and the like with a measure, for the last noun that was counted by it.

    And the former and the latter of two nouns that an `and` joins.
    """
    said = [pair for text in scene.before for pair in measured(text, lexicon)]
    stands = "|".join(map(re.escape, lexicon.substitutes["beside"]))
    for found in re.finditer(rf"(?:{stands})({measures(lexicon)})", scene.text):
        nouns = [noun for measure, noun in said if measure == found[1]]
        vague = found[0] in lexicon.grammar["vague"] or not opens(scene.text, found.start())
        if nouns and not vague and _alone(scene.text, found.end(), lexicon):
            yield Change(found.start(), found.end(), ((found[0] + nouns[-1], "noun"),))
    both = _pair(scene, lexicon)
    for which, kind in enumerate(("former", "latter") if both else ()):
        for word in find(scene.text, "zh", lexicon.substitutes[kind]):
            if any(joint in scene.text[: word.start] for joint in lexicon.grammar["joints"]):
                continue
            yield Change(word.start, word.end, ((both[which], "noun"),))


def _places(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Chinese: the last place that was named, for `there` behind a word for where, to where or from where."""
    places = set(lexicon.nouns["place"])
    said = [w.text for t in scene.before for w in find(t, "zh", places) if not compound(t, w)]
    here = find(scene.text, "zh", places) or "？" in scene.text or "?" in scene.text
    for word in find(scene.text, "zh", lexicon.substitutes["place"]) if said and not here else ():
        if scene.text[: word.start].endswith(tuple(lexicon.grammar["where"])):
            yield Change(word.start, word.end, ((said[-1], "noun"),))


def _pair(scene: Scene, lexicon: Lexicon) -> tuple[str, ...]:
    """The nouns that were last joined by an `and` or `or`, if any were."""
    own = [words(text, "zh") for text in scene.before]
    trios = [trio for text in own for trio in zip(text, text[1:], text[2:], strict=False)]
    joints = lexicon.grammar["joints"]
    found = [(a.text, b.text) for a, joint, b in trios if a.noun and b.noun and joint.text in joints]
    return found[-1] if found else ()


def _alone(text: str, at: int, lexicon: Lexicon) -> bool:
    then = following(text, at, "zh")
    return then is None or (then.mark and then.text not in OPENERS) or then.text in lexicon.grammar["predicates"]


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
    if own and own[-1] in lexicon.grammar["pointing"]:
        return True
    return len(own) == 2 and own[0] in lexicon.grammar["determiners"] and own[1] in lexicon.grammar["describing"]


def _had(scene: Scene, word: Word, lexicon: Lexicon) -> bool:
    return held(scene.text, word.start, lexicon)


def _deeds(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """`did` for the last thing that was done, and `so` for what was last said."""
    deed = last_deed(scene, lexicon) if scene.language == "en" else None
    for found in DID.finditer(scene.text) if deed else ():
        if deed and ends(scene.text, found.end()) and not does_more(scene, found.start(1), lexicon):
            yield Change(found.start(1), found.end(1), ((deed[FORMS.index(found[1].split()[0])], "verb"),))
    clause = last_clause(scene) if scene.language == "en" else None
    for found in SO.finditer(scene.text) if clause else ():
        if clause and ends(scene.text, found.end()):
            yield Change(found.start(1), found.end(1), ((clause, "clause"),))
