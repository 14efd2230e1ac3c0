"""The words by which contrastive instances are made: ``resources/lexicons/<language>.yaml``, typed."""

from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from discobench.config.load import read_as
from discobench.config.strict import Strict
from discobench.errors import DiscoError

FOLDER = Path(__file__).parents[2] / "resources" / "lexicons"
VOWELS = "aeiou"
GRAMMAR = {
    "zh": "actions speech doubtful single anew summed predicates where joints vague",
    "en": "determiners subjects copulas degrees limits holders describing particles bound clausal pointing of "
    "before_then articles after_predicates",
}
"""The kinds of words under ``grammar`` that the devices look up; any other language is read as English."""


class Pronoun(Strict):
    """A form, in what case it stands, and what differs from it in gender or in number."""

    form: str
    case: Literal["any", "subject", "object", "possessive"] = "any"
    gender: list[str] = Field(default=[])
    number: list[str] = Field(default=[])


class Group(Strict):
    """Words of one meaning, and words that have another."""

    kind: Literal["noun", "adjective"]
    words: list[str] = Field(min_length=2)
    other: list[str] = Field(min_length=2)


class Lexicon(Strict):
    """Everything that the devices look up in one language; ``nouns`` are singular where a language has plurals."""

    language: str
    connectives: dict[str, dict[str, list[str]]]
    only_wrong: list[str]
    never_wrong: list[str] = Field(default=[])
    anywhere: list[str] = Field(default=[])
    pronouns: list[Pronoun]
    nouns: dict[str, list[str]]
    synonyms: list[Group]
    times: list[str]
    substitutes: dict[str, list[str]]
    numbers: list[str]
    plurals: dict[str, str] = Field(default={})
    invariant: list[str] = Field(default=[])
    measures: list[str] = Field(default=[])
    verbs: list[Annotated[list[str], Field(min_length=3, max_length=3)]] = Field(default=[])
    countable: list[str] = Field(default=[])
    grammar: dict[str, list[str]]

    @cached_property
    def classes(self) -> dict[str, tuple[str, bool]]:
        """Every form of a noun: its class, and whether it is a plural."""
        found = {word: (name, False) for name, words in self.nouns.items() for word in words}
        if self.language != "en":
            return found
        return {self.plural(word): (name, True) for word, (name, _) in found.items()} | found

    @cached_property
    def meanings(self) -> dict[str, list[tuple[int, str, bool]]]:
        """Every form of a word that has synonyms: the places of its groups, the word, and whether it is a plural."""
        found: dict[str, list[tuple[int, str, bool]]] = {}
        for n, group in enumerate(self.synonyms):
            forms = {word: (n, word, False) for word in group.words}
            if group.kind == "noun" and self.language == "en":
                forms = {self.plural(word): (n, word, True) for word in group.words} | forms
            for form, meant in forms.items():
                found.setdefault(form, []).append(meant)
        return found

    def plural(self, noun: str) -> str:
        """The plural of an English noun: the listed one, or by rule."""
        if noun in self.plurals:
            return self.plurals[noun]
        if noun.endswith(("s", "x", "ch", "sh")):
            return f"{noun}es"
        return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in VOWELS else f"{noun}s"

    def like(self, noun: str) -> list[str]:
        """The nouns of the class of ``noun``, in its number."""
        name, many = self.classes[noun]
        return [self.plural(word) if many else word for word in self.nouns[name]]


@lru_cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language; raises DiscoError that names the file and its faults, or that there is none."""
    path = FOLDER / f"{language}.yaml"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.yaml")))
        raise DiscoError(f"resources/lexicons has no {language}.yaml, there are {known}; write one after these.")
    found = read_as(Lexicon, path)
    wanted = GRAMMAR.get(found.language, GRAMMAR["en"]).split()
    if differing := sorted({kind for kind, own in found.grammar.items() if own} ^ set(wanted)):
        named, allowed = ", ".join(differing), ", ".join(wanted)
        raise DiscoError(f"{path}: grammar lacks words of, or does not know, {named}; it has words of {allowed}.")
    return found
