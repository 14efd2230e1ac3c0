"""Noun phrases, prepositional phrases and relative clauses from the shorthand of the seeds."""

import re
from random import Random
from typing import Any

from resources.demo.generator.draws import seed, usually
from resources.demo.generator.trees import Node, cut, leaf, node

PART = re.compile(r"\[[^\]]*\]|<[^>]*>|\S+")
DETERMINERS = {"the", "a", "an", "every", "any", "this", "no", "some"}
POSSESSIVES = {"his", "her", "their", "my"}
PLURALS = {"shoes", "roses", "guards", "stories", "glasses", "stars", "pockets", "paws", "stairs", "plums", "cliffs"}
PLURALS |= {"hands", "fingers", "years", "colours"}
NUMBERS = {"two", "three", "four"}
USUAL_TAIL, RARE_TAIL = 0.75, 0.15


def noun_phrase(shorthand: str) -> Node:
    """``the grey beard`` as a tree; the last word is the noun, those before it determiner or adjectives."""
    *before, head = shorthand.split(" ")
    return node("NP", *(leaf(_tag(word), word) for word in before), leaf(noun_tag(head), head))


def _tag(word: str) -> str:
    if word in DETERMINERS:
        return "DT"
    return "PRP$" if word in POSSESSIVES else "JJ"


def noun_tag(word: str) -> str:
    """NNP for names, NNS for plurals, NN else."""
    if word[0].isupper():
        return "NNP"
    return "NNS" if word in PLURALS or word in seed("english")["plurals"].values() else "NN"


def prepositional(shorthand: str) -> Node:
    """``with the grey beard`` as a tree."""
    preposition, rest = shorthand.strip("[]").split(" ", 1)
    tag = "TO" if preposition == "to" else "IN"
    return node("PP", leaf(tag, preposition), noun_phrase(rest))


def relative(shorthand: str) -> Node:
    """``who told <the strange stories>`` as SBAR."""
    wh, *parts = PART.findall(shorthand)
    subject = [noun_phrase(parts.pop(0).strip("<>"))] if parts[0].startswith("<") else []
    adverbs = [node("ADVP", leaf("RB", parts.pop(0)))] if parts[0] == "never" else []
    verb = leaf("VBD", parts.pop(0))
    verb_phrase = node("VP", *adverbs, verb, *map(_complement, parts))
    wh_tag = "WP" if wh == "who" else "WDT"
    return node("SBAR", node("WHNP", leaf(wh_tag, wh)), node("S", *subject, verb_phrase))


def _complement(part: str) -> Node:
    return prepositional(part) if part.startswith("[") else noun_phrase(part.strip("<>"))


def tail(shorthand: str) -> Node:
    """What follows a noun, marked as the modifier it is."""
    if shorthand.startswith("["):
        return cut("prepositional", prepositional(shorthand))
    return cut("clause", relative(shorthand))


def described(draw: Random, noun: str, entry: dict[str, Any], tails: float = 1.0, article: str = "the") -> Node:
    """``noun`` with the modifiers that it usually has: nouns that compound seldom have a tail, others often do.

    ``tails`` scales the share of those with a tail.
    """
    head_word = seed("english")["plurals"].get(noun, noun) if article == "many" else noun
    front = [cut("adjective", leaf("JJ", usually(draw, entry["adj"])))] if draw.random() < 0.9 else []
    if "compound" in entry and draw.random() < 0.6:
        front.append(cut("noun", leaf("NN", entry["compound"])))
    following = [*front, leaf(noun_tag(head_word), head_word)]
    core = node("NP", _determiner(draw, article, head_word != noun, following[0].word), *following)
    share = RARE_TAIL if "compound" in entry else USUAL_TAIL
    return node("NP", core, tail(entry["tail"])) if draw.random() < tails * share else core


def _determiner(draw: Random, article: str, plural: bool, following: str) -> Node:
    if plural:
        number = draw.choice(seed("english")["numbers"])
        return leaf("CD" if number in NUMBERS else "JJ", number)
    return leaf("DT", article_for(following) if article == "a" else "the")


def article_for(word: str) -> str:
    """``a`` or ``an``, by the first letter: the seeds hold no silent h and no ``u`` said ``you``."""
    return "an" if word[0] in "aeiou" else "a"
