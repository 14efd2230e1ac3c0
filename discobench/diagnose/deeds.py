"""What was last said to be done, in English: a verb that the lexicon knows and what belongs to it."""

import re

from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Scene
from discobench.diagnose.words import find

NAME = r"(?:I|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Ww]e|[Tt]hey|[A-Z][a-z]+)"
SUBJECT = rf"(?:^|[.;:!?—“\"] ?|, (?:and|but|so) |\b(?:And|But|Then|So),? |[A-Z][a-z]+, ){NAME} "
"""A subject with which a clause begins, and the blank behind it."""
AUXILIARY = (
    r"(?:(?:will|would|can|could|should|must|may|might|do|does|did)(?: not|n['’]t)?|never|always|also|just|really|then)"
)
WISH = r"(?:(?:want|wants|wanted|need|needs|needed|tries|try|tried|is going|was going|are going) to )"
CLAUSE = re.compile(
    r"(?:^|[.;!?—“] ?|, (?:and|but|so) )(?:And |But |So |Then |Did |Do |Does |Can |Could |Will |Would |Should )?"
    rf"(?:{NAME}|[Ww]ho|[Nn]obody|[Ee]verybody|(?:[Tt]he|[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Aa]n?) [a-z]+) "
    rf"(?:{AUXILIARY} )*(?P<wish>{WISH}?)(?P<verb>[a-z]+)(?P<rest>(?: [A-Za-z'’-]+)*)[.?!]+[”\"]?$"
)
"""A clause that ends what was said: who did something, the verb, and what belongs to it."""
PERSONAL = re.compile(r"\b(?:I|me|my|mine|myself|you|your|yours|yourself|we|us|our|and|but|who|which|that)\b")
"""What means another where another says it, or begins a clause of its own."""
PLAIN = re.compile(r"(?:^|[a-z][.?!] )((?:He|She|It|They|The|His|Her|Their|[A-Z][a-z]+) [^,;:?!.“”\"]{3,60})\.$")
LOWERED = ("He ", "She ", "It ", "They ", "The ", "His ", "Her ", "Their ")
LONGEST = 6
"""Words that a verb may bring along."""


def last_deed(scene: Scene, lexicon: Lexicon, wished: bool = False) -> tuple[str, str, str] | None:
    """What the last clause before the sentence says was done: base form, third person, past, each with its object.

    None where the lexicon does not know the verb, or more hangs on it than can be said again, or where it was only
    wanted or tried unless ``wished`` is true.
    """
    found = CLAUSE.search(scene.before[-1].strip()) if scene.before else None
    forms = _forms(lexicon)
    if not found or found["verb"] not in forms or PERSONAL.search(found["rest"]) or (found["wish"] and not wished):
        return None
    if len(found["rest"].split()) > LONGEST:
        return None
    base, third, past = (form + found["rest"] for form in forms[found["verb"]])
    return base, third, past


def last_clause(scene: Scene) -> str | None:
    """The last sentence before, as it may hang on another: plain, said of others, without its mark; else None."""
    found = PLAIN.search(scene.before[-1].strip()) if scene.before else None
    if not found or PERSONAL.search(found[1]):
        return None
    named = not found[1].startswith(LOWERED)
    return found[1] if named else found[1][0].lower() + found[1][1:]


def does_more(scene: Scene, at: int, lexicon: Lexicon) -> bool:
    """Whether the sentence has a verb of its own before a place, which what stands there may take up."""
    return bool(find(scene.text[:at], scene.language, _forms(lexicon)))


def _forms(lexicon: Lexicon) -> dict[str, list[str]]:
    return {form: verb for verb in lexicon.verbs for form in verb}
