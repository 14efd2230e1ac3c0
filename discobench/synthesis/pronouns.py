"""The table of pronouns and of the words around them: resources/zpr/pronouns.yaml."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from discobench.config.load import read_as
from discobench.config.strict import Strict
from discobench.errors import DiscoError

LISTS = {
    "realised": ("first", "second", "third"),
    "expletive": ("verbs", "be", "weather", "judged"),
    "places": ("connectives", "times", "embedding", "addressing"),
}
THIRD_PLURAL = ("他们", "她们", "它们")


@dataclass(frozen=True)
class Pronouns:
    """English pronouns with their Chinese forms, and what excludes, realises or places one.

    ``expletive`` has the lists ``verbs``, ``be``, ``weather``, ``judged``; ``places`` the Chinese lists
    ``connectives``, ``times``, ``embedding``, ``addressing``.
    """

    forms: frozenset[str]
    english: Mapping[str, Mapping[str, str]]
    plural_you: frozenset[str]
    realised: Mapping[str, frozenset[str]]
    expletive: Mapping[str, frozenset[str]]
    fillers: Sequence[Sequence[str]]
    questions: frozenset[str]
    places: Mapping[str, frozenset[str]]
    alternatives: Mapping[str, Sequence[str]]

    def candidates(self, form: str) -> list[str]:
        """``form`` and the forms that its English may mean as well."""
        return [form, *self.alternatives.get(form, ())]

    def person(self, form: str) -> str:
        """first, second or third."""
        return next(person for person, words in self.realised.items() if form[0] in words)


class Word(Strict):
    """An English pronoun: its Chinese form, its role, and its form as an object where that is another."""

    form: str
    role: Literal["subject", "object", "possessive", "reflexive", "either"]
    object: str | None = None


class Table(Strict):
    """What the file holds."""

    forms: list[str]
    english: dict[str, Word]
    plural_you: list[str]
    realised: dict[str, list[str]]
    expletive: dict[str, list[str]]
    fillers: list[str]
    questions: list[str]
    places: dict[str, list[str]]
    alternatives: dict[str, list[str]]


def load_pronouns(path: Path) -> Pronouns:
    """Read the table; raises DiscoError that names the file and the key of a fault."""
    table = read_as(Table, path)
    _check(table, path)
    return Pronouns(
        frozenset(table.forms),
        {word: entry.model_dump(exclude_none=True) for word, entry in table.english.items()},
        frozenset(table.plural_you),
        _sets(table.realised),
        _sets(table.expletive),
        [phrase.split(" ") for phrase in table.fillers],
        frozenset(table.questions),
        _sets(table.places),
        table.alternatives,
    )


def _check(table: Table, path: Path) -> None:
    named = [(word, form) for word, entry in table.english.items() for form in (entry.form, entry.object) if form]
    named += [(word, form) for word, forms in table.alternatives.items() for form in (word, *forms)]
    for word, form in named:
        if form not in table.forms:
            raise DiscoError(f"{path}, {word}: form {form!r} is not among `forms`; add it there or correct it.")
    for name, needed in LISTS.items():
        found = getattr(table, name)
        if set(found) != set(needed):
            raise DiscoError(f"{path}: {name} has {', '.join(found)}; it needs lists of {', '.join(needed)}; mend it.")


def _sets(lists: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in lists.items()}
