"""What was last said to be done, in English: a verb that the lexicon knows and what belongs to it."""

import re

from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Scene
from discobench.diagnose.words import find

BEFORE = r"(?:^|[,.;:!?—“\"] ?|\b(?:[Aa]nd|[Bb]ut|than|as|[Tt]hen) )"
SUBJECT = rf"{BEFORE}(?:I|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Ww]e|[Tt]hey|[A-Z][a-z]+) "
"""A subject with which a clause begins, and the blank behind it."""
END = re.compile(r"[,.;:!?—“”\"()]")
LONGEST = 6
"""Words that a verb may bring along."""


def last_deed(scene: Scene, lexicon: Lexicon) -> tuple[str, str, str] | None:
    """The last verb before the sentence with its object: base form, third person, past; None where none is known."""
    forms = {form: verb for verb in lexicon.verbs for form in verb}
    known = [(text, word) for text in scene.before for word in find(text, scene.language, forms)]
    if not known:
        return None
    text, word = known[-1]
    rest = END.split(text[word.end :])[0].rstrip()
    if len(rest.split()) > LONGEST:
        return None
    base, third, past = (form + rest for form in forms[word.text.lower()])
    return base, third, past
