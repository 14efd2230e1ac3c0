"""English sentences with their trees: what happens in the stories, rich in modifiers that may be cut."""

from collections.abc import Callable
from random import Random
from typing import Any

from resources.demo.generator.draws import seed
from resources.demo.generator.phrases import described, prepositional
from resources.demo.generator.trees import Node, cut, leaf, node

Entry = dict[str, Any]
USUAL, RARE = 0.75, 0.1
"""Shares of verbs with the modifier that is usual for them, and with the other one."""


class Writer:
    """Draws sentences about a fixed cast; ``draw`` decides everything else."""

    def __init__(self, draw: Random, cast: int = 3) -> None:
        """``cast`` people and names are drawn once, so that a text keeps to them."""
        self.draw = draw
        self.words = seed("english")
        self.cast = draw.sample(sorted(self.words["people"]), cast)
        gender = draw.choice("mf")
        self.hero, self.pronoun = draw.choice(self.words["names"][gender]), "he" if gender == "m" else "she"

    def sentence(self) -> Node:
        """One sentence under ROOT, its first word not yet capitalised."""
        kinds, weights = zip(*KINDS, strict=True)
        return node("ROOT", self.draw.choices(kinds, weights)[0](self))

    def subject(self, tails: float = 1.0) -> Node:
        """The hero, a pronoun for the hero, or one of the cast."""
        point = self.draw.random()
        if point < 0.1:
            return node("NP", leaf("NNP", self.hero))
        if point < 0.2:
            return node("NP", leaf("PRP", self.pronoun))
        return self.person(tails, "many" if point > 0.94 else "the")

    def person(self, tails: float = 1.0, article: str = "the") -> Node:
        """One of the cast with modifiers."""
        noun = self.draw.choice(self.cast)
        return described(self.draw, noun, self.words["people"][noun], tails, article)

    def thing(self, noun: str, tails: float = 1.0) -> Node:
        """A thing or place with modifiers."""
        entry = self.words["things"].get(noun) or self.words["places"][noun]
        article = "a" if noun in self.words["things"] and self.draw.random() < 0.2 else "the"
        return described(self.draw, noun, entry, tails, article)

    def place(self, preposition: str) -> Node:
        """``to the foggy harbour`` as an argument that is not cut."""
        tag = "TO" if preposition == "to" else "IN"
        return node("PP", leaf(tag, preposition), self.thing(self.draw.choice(sorted(self.words["places"])), 0.6))

    def verb(self, entry: Entry, form: str, tag: str) -> list[Node]:
        """A verb with its particle and, most of the time, its adverb before it."""
        particle = [node("PRT", leaf("RP", entry["particle"]))] if "particle" in entry else []
        share = RARE if entry.get("usual") == "where" else USUAL
        adverb = [self.adverb(entry)] if self.draw.random() < share else []
        return [*adverb, leaf(tag, entry[form]), *particle]

    def adverb(self, entry: Entry) -> Node:
        """The adverb that goes with a verb."""
        return cut("adverb", node("ADVP", leaf("RB", entry["adverb"])))

    def deed(self, form: str = "past", tag: str = "VBD") -> Node:
        """A verb phrase: somebody does something to a thing."""
        entry = self.draw.choice(self.words["verbs"])
        share = USUAL if entry.get("usual") == "where" else RARE
        where = [cut("prepositional", prepositional(entry["where"]))] if self.draw.random() < share else []
        return node("VP", *self.verb(entry, form, tag), self.thing(self.draw.choice(entry["objects"])), *where)

    def move(self, form: str = "past", tag: str = "VBD") -> Node:
        """A verb phrase: somebody goes somewhere."""
        entry = self.draw.choice(self.words["moves"])
        return node("VP", *self.verb(entry, form, tag), self.place(entry["preposition"]))

    def gift(self) -> Node:
        """A verb phrase: somebody gives a thing to somebody."""
        entry = self.draw.choice(self.words["gifts"])
        receiver = node("PP", leaf("TO", "to"), self.person(0.6))
        thing = self.thing(self.draw.choice(sorted(self.words["things"])), 0.6)
        return node("VP", *self.verb(entry, "past", "VBD"), thing, receiver)

    def time(self) -> Node:
        """A phrase of time that may be cut."""
        return cut("prepositional", prepositional(self.draw.choice(self.words["times"])))

    def action(self) -> Node:
        """Any verb phrase in the past."""
        return self.draw.choices([self.deed, self.move, self.gift], [6, 3, 2])[0]()


def full_stop() -> Node:
    return leaf(".", ".")


def comma() -> Node:
    return leaf(",", ",")


def plain(writer: Writer) -> Node:
    return node("S", writer.subject(), writer.action(), full_stop())


def timed(writer: Writer) -> Node:
    time = prepositional(writer.draw.choice(writer.words["times"]))
    return node("S", time, comma(), writer.subject(), writer.action(), full_stop())


def opened(writer: Writer) -> Node:
    opener = node("ADVP", leaf("RB", writer.draw.choice(writer.words["openers"])))
    return node("S", opener, writer.subject(), writer.action(), full_stop())


def twice(writer: Writer) -> Node:
    both = node("VP", writer.deed(), leaf("CC", "and"), writer.draw.choice([writer.deed, writer.move])())
    return node("S", writer.subject(0.6), both, full_stop())


def contrast(writer: Writer) -> Node:
    first = node("S", writer.person(0.6), writer.deed())
    second = node("S", writer.person(0.6), writer.move())
    return node("S", first, comma(), leaf("CC", writer.draw.choice(["but", "and"])), second, full_stop())


def denied(writer: Writer) -> Node:
    phrase = node("VP", leaf("VBD", "did"), leaf("RB", writer.draw.choice(["not", "n't"])), writer.deed("base", "VB"))
    return node("S", writer.subject(), phrase, full_stop())


def wanted(writer: Writer) -> Node:
    entry = writer.draw.choice(writer.words["wants"])
    inner = node("S", node("VP", leaf("TO", "to"), _bare(writer)))
    adverb = [writer.adverb(entry)] if writer.draw.random() < 0.4 and entry["adverb"] != "hard" else []
    return node("S", writer.subject(), node("VP", *adverb, leaf("VBD", entry["past"]), inner), full_stop())


def _bare(writer: Writer) -> Node:
    entry = writer.draw.choice(writer.words["verbs"])
    particle = [node("PRT", leaf("RP", entry["particle"]))] if "particle" in entry else []
    return node("VP", leaf("VB", entry["base"]), *particle, writer.thing(writer.draw.choice(entry["objects"])))


def state(writer: Writer) -> Node:
    noun = writer.draw.choice(sorted(writer.words["states"]))
    degree = [cut("adverb", leaf("RB", writer.draw.choice(writer.words["degrees"])))]
    adjective = node("ADJP", *degree, leaf("JJ", writer.words["states"][noun]))
    return node("S", writer.thing(noun), node("VP", leaf("VBD", "was"), adjective), full_stop())


def existence(writer: Writer) -> Node:
    noun = writer.draw.choice(sorted(writer.words["things"]))
    core = writer.thing(noun, 0.0)
    indefinite = node("NP", leaf("DT", "no"), *core.children[1:])
    verb = node("VP", leaf("VBD", "was"), indefinite, writer.place("in"))
    return node("S", node("NP", leaf("EX", "there")), verb, full_stop())


def participle(writer: Writer) -> Node:
    noun = writer.draw.choice(["lamp", "rope", "basket", "book", "knife"])
    holding = cut("clause", node("S", node("VP", leaf("VBG", "holding"), writer.thing(noun, 0.0))))
    return node("S", writer.person(0.6), _moved(writer, holding), full_stop())


def _moved(writer: Writer, holding: Node) -> Node:
    entry = writer.draw.choice(writer.words["moves"])
    return node("VP", *writer.verb(entry, "past", "VBD"), writer.place(entry["preposition"]), holding)


def dialogue(writer: Writer) -> Node:
    modal = leaf("MD", writer.draw.choice(["must", "will", "can", "should"]))
    speech = node("S", _speaker(writer), node("VP", modal, writer.deed("base", "VB")))
    saying = node("VP", leaf("VBD", writer.draw.choice(writer.words["sayings"])))
    return node("SINV", leaf("``", "``"), speech, comma(), leaf("''", "''"), saying, writer.person(0.6), full_stop())


def _speaker(writer: Writer) -> Node:
    return node("NP", leaf("PRP", writer.draw.choice(["we", "I", "you", "they"])))


def when(writer: Writer) -> Node:
    clause = node("SBAR", node("WHADVP", leaf("WRB", "when")), node("S", writer.person(0.0), writer.move()))
    return node("S", clause, comma(), writer.person(0.6), writer.deed(), full_stop())


def possession(writer: Writer) -> Node:
    owner = node("NP", leaf("NNP", writer.hero), leaf("POS", "'s"))
    relation = node("NP", owner, leaf("NN", writer.draw.choice(["brother", "friend", "neighbour", "cousin"])))
    return node("S", relation, writer.action(), full_stop())


KINDS: tuple[tuple[Callable[[Writer], Node], int], ...] = (
    (plain, 10),
    (timed, 3),
    (opened, 2),
    (twice, 3),
    (contrast, 2),
    (denied, 2),
    (wanted, 2),
    (state, 2),
    (existence, 1),
    (participle, 2),
    (dialogue, 3),
    (when, 1),
    (possession, 1),
)
