"""The table of pronouns and of the words around them: resources/zpr/pronouns.yaml."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from discobench.errors import DiscoError
from discobench.files import read_text

ROLES = ("subject", "object", "possessive", "reflexive", "either")
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


def load_pronouns(path: Path) -> Pronouns:
    """Read the table; raises DiscoError when an entry has a form or role that is not in the inventory."""
    table = yaml.safe_load(read_text(path))
    forms = frozenset(table["forms"])
    for word, entry in table["english"].items():
        for form in (entry["form"], entry.get("object", entry["form"])):
            if form not in forms:
                raise DiscoError(f"{path}, {word}: form {form!r} is not among `forms`; add it there or correct it.")
        if entry["role"] not in ROLES:
            raise DiscoError(f"{path}, {word}: role {entry['role']!r} is unknown; known: {', '.join(ROLES)}.")
    return Pronouns(
        forms,
        table["english"],
        frozenset(table["plural_you"]),
        _sets(table["realised"]),
        _sets(table["expletive"]),
        [phrase.split(" ") for phrase in table["fillers"]],
        frozenset(table["questions"]),
        _sets(table["places"]),
        table["alternatives"],
    )


def _sets(lists: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in lists.items()}
