"""Ellipsis: what was left out, because it had been said, is put in (两千来亩 ∅ → 两千来亩水田, why ∅ → why he left)."""

import re
from collections.abc import Iterator

from discobench.diagnose.deeds import SUBJECT, last_deed
from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, begins, find, following, words

WHY = re.compile(r"(?<=[a-z,] )(?:why|how|when|where)(?=[.?!])")
PLAIN = re.compile(r"(?:He|She|It|They|We|You|I|The|His|Her|Their|My|Our)\b[^,;:?!“”\"]{3,60}\.$")
NOT = "(?:not|n['’]t| not| never)"
WANTING = "(?:wants?|wanted|ha[sd]|have|needs?|needed|try|tries|tried|used|hope[sd]?|like[sd]?|love[sd]?|dare[sd]?)"
"""Verbs that may end in a bare `to`."""
MODAL = re.compile(
    rf"{SUBJECT}(?:(?:can|could|will|would|should|must|may|might){NOT}?|(?:do|does|did){NOT}"
    rf"|(?:(?:do|does|did){NOT} )?{WANTING} to)(?=[,.;!?—”\"]|$)"
)
"""What leaves a verb unsaid: `can`, `did not`, `wanted to` at an end; `did` alone stands for it and is no ellipsis."""
SENTENCE = re.compile(r"[^.?!]+[.?!]")


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Chinese: nouns behind measures, subjects; English: nouns behind numbers, what `why` and `can` leave unsaid."""
    for find_them in (_measured, _subjects) if scene.language == "zh" else (_numbered, _clauses, _able):
        yield from find_them(scene, lexicon)


def _measured(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """A noun that stood behind a measure, where a number and the same measure have none behind them."""
    number = f"(?:{'|'.join(sorted(lexicon.numbers, key=len, reverse=True))}|\\d)[多来几余]?"
    said = [(measure, noun) for text in scene.before for measure, noun in _behind_measures(text, number, lexicon)]
    for found in re.finditer(
        rf"{number}\s*({'|'.join(lexicon.measures)})(?=\s*(?:[吧呢吗了，。！？；、：,.!?;]|$))", scene.text
    ):
        nouns = [noun for measure, noun in said if measure == found[1]]
        if nouns:
            yield Change(found.end(), found.end(), ((nouns[-1], "noun"),))


def _behind_measures(text: str, number: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    for found in re.finditer(rf"{number}\s*({'|'.join(lexicon.measures)})\s*的?", text):
        noun = following(text, found.end(), "zh")
        if (
            noun
            and noun.start - found.end() <= 1
            and (noun.noun or noun.text in lexicon.classes)
            and len(noun.text) > 1
        ):
            yield found[1], noun.text


def _subjects(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The subject of the sentence before, where one begins with what is done."""
    if not scene.before:
        return
    earlier, own = words(scene.before[-1], "zh"), words(scene.text, "zh")
    said = any(_subject(word, lexicon) for word in own)
    subject = len(earlier) > 1 and _subject(earlier[0], lexicon) and earlier[1].tag[:1] in ("v", "d", "p")
    if subject and own and not said and _predicate(own):
        yield Change(own[0].start, own[0].start, ((earlier[0].text, "subject"),))


def _subject(word: Word, lexicon: Lexicon) -> bool:
    return word.tag.startswith("nr") or word.text in {pronoun.form for pronoun in lexicon.pronouns}


def _predicate(own: tuple[Word, ...]) -> bool:
    """Whether words begin with a verb, or with an adverb and a verb."""
    tags = [word.tag if len(word.text) > 1 or word.tag == "d" else "" for word in own[:2]]
    return own[0].start == 0 and (tags[0] == "v" or tags == ["d", "v"])


def _numbered(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """A noun that stood behind a number, where a number has none behind it."""
    plurals = {form for form, (_, many) in lexicon.classes.items() if many}
    said = [word.text.lower() for text in scene.before for word in find(text, "en", plurals)]
    for word in find(scene.text, "en", lexicon.numbers) if said else ():
        then = following(scene.text, word.end, "en")
        counts = word.text.islower() or begins(scene.text, word.start)
        if counts and (then is None or (then.mark and then.text not in "-'’")):
            yield Change(word.end, word.end, ((f" {said[-1]}", "noun"),))


def _clauses(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The sentence before, where it is a plain one, behind `why` and the like at an end."""
    sentences = [part.strip() for text in scene.before[-1:] for part in SENTENCE.findall(text)]
    earlier = sentences[-1] if sentences else ""
    for found in WHY.finditer(scene.text) if PLAIN.fullmatch(earlier) else ():
        clause = earlier[:-1] if earlier.startswith(("I ", "I'")) else earlier[0].lower() + earlier[1:-1]
        yield Change(found.end(), found.end(), ((f" {clause}", "clause"),))


def _able(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """What was last done, behind `can`, `did not`, `wanted to` and the like at an end."""
    deed = last_deed(scene, lexicon)
    for found in MODAL.finditer(scene.text):
        if deed is None:
            return
        yield Change(found.end(), found.end(), ((f" {deed[0]}", "verb"),))
