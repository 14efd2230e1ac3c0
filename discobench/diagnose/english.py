"""What an English word is where it stands, as far as its neighbours tell."""

from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.words import Word, following, words

POSSESSIVE = ("'s", "’s", "s'", "s’")
CLOSED = ("determiners", "subjects", "copulas", "particles")
"""Kinds of words that neither describe a thing nor name one."""


def nominal(text: str, word: Word, many: bool, lexicon: Lexicon) -> bool:
    """Whether a word is a noun: a determiner stands before it, at most one word between.

    A plural needs none, unless somebody stands before it who may be doing it.
    """
    near, far = _before(text, word.start)
    if many:
        return near not in lexicon.grammar["subjects"]
    return _determines(near, lexicon) or (_determines(far, lexicon) and near.isalpha() and not _closed(near, lexicon))


def adjectival(text: str, word: Word, lexicon: Lexicon) -> bool:
    """Whether a word is an adjective: between a determiner and its noun, or the end of what is said of somebody."""
    near, far = _before(text, word.start)
    then = following(text, word.end, "en")
    if near in lexicon.grammar["degrees"]:
        near, far = far, ""
    if near in lexicon.grammar["copulas"]:
        return then is None or then.mark or then.text.lower() in lexicon.grammar["after_predicates"]
    return _determines(near, lexicon) and then is not None and then.text.isalpha() and not _closed(then.text, lexicon)


def held(text: str, at: int, lexicon: Lexicon) -> bool:
    """Whether what begins at a place is an answer of its own, or what somebody has, takes, sees or wants."""
    own = [word for word in words(text, "en") if word.end <= at]
    while own and own[-1].text.lower() in lexicon.grammar["limits"]:
        own.pop()
    return not any(word.text.isalnum() for word in own) or own[-1].text.lower() in lexicon.grammar["holders"]


def ends(text: str, at: int) -> bool:
    """Whether a clause ends at a place: by a mark, a comma with a conjunction or quotation, or with the text."""
    rest = text[at:]
    if not rest or rest[0] in ';!?”"' or (rest[0] == "." and not rest.startswith("..")):
        return True
    return rest[0] == "," and rest[1:].lstrip().startswith(("”", '"', "and ", "but ", "so ", "though "))


def _before(text: str, at: int) -> tuple[str, str]:
    """The two words or marks before a place, the nearest first."""
    own = [word.text.lower() for word in words(text, "en") if word.end <= at][-2:]
    return (own[-1] if own else "", own[0] if len(own) > 1 else "")


def _determines(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon.grammar["determiners"] or word in lexicon.numbers or word.endswith(POSSESSIVE)


def _closed(word: str, lexicon: Lexicon) -> bool:
    return any(word.lower() in lexicon.grammar[kind] for kind in CLOSED)
