"""Ellipsis: what was left out, because it had been said, is put in (两千来亩 ∅ → 两千来亩水田, why ∅ → why he left)."""

import re
from collections.abc import Iterator

from discobench.diagnose.deeds import SUBJECT, does_more, last_clause, last_deed
from discobench.diagnose.english import ends, held
from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.measures import measured, measures, number
from discobench.diagnose.scene import Change, Scene
from discobench.diagnose.words import Word, begins, cased, find, opens, words

WHY = re.compile(r"(?<=[a-z,] )(?:why|how|when|where)(?=[.?!])")
NOT = "(?:not|n['’]t| not| never)"
WANTING = "(?:wants?|wanted|ha[sd]|have|needs?|needed|try|tries|tried|used|hope[sd]?|like[sd]?|love[sd]?|dare[sd]?)"
"""Verbs that may end in a bare `to`."""
MODAL = re.compile(
    rf"{SUBJECT}(?:(?:can|could|will|would|should|must|may|might){NOT}?|(?:do|does|did){NOT}"
    rf"|(?:(?:do|does|did){NOT} )?{WANTING} to)(?=[,.;!?”\"]|$)"
)
"""What leaves a verb unsaid: `can`, `did not`, `wanted to` at an end; `did` alone stands for it and is no ellipsis."""
OWNERS = {"mine": "my", "yours": "your", "hers": "her", "ours": "our", "theirs": "their"}
OWNED = re.compile(
    rf"^[“\"‘']?(?:And |But )?({'|'.join(OWNERS)})(?= (?:is|was|are|were|has|had)\b)"
    rf"|\b(?:it|that|this|they|those|these)(?:['’]s| is| was| are| were| is not| isn['’]t| wasn['’]t)"
    rf" ({'|'.join(OWNERS)})(?=[.,;!?])",
    re.IGNORECASE,
)
"""`Hers was` with which a sentence begins, and `it is mine` at an end."""
REPEATED = re.compile(r"一个\S{0,3}着?$")
"""What a Chinese number with a measure repeats (一个接一个), so that nothing is left out."""
DO = re.compile(r"\b(?:do|does|did)")
SIGNS = "“”「」『』‘’"
"""Marks of quotation, in pairs."""
GENERAL = "个"
"""The measure of nearly anything: what it counted must have been said shortly before."""
NEAR = 2
"""Sentences in which the noun was said that a number leaves out."""
AFTER_SUBJECTS = ("v", "d", "p")
"""rjieba's tags of what follows a subject: verbs, adverbs, prepositions."""


def changes(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """Chinese: nouns behind measures, subjects; English: nouns behind numbers, what `why` and `can` leave unsaid."""
    for find_them in (_measured, _subjects) if scene.language == "zh" else (_numbered, _owned, _clauses, _able):
        yield from find_them(scene, lexicon)


def _measured(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """A noun that stood behind a measure, where a number and the same measure have none behind them."""
    own = [measured(text, lexicon) for text in scene.before]
    near = len(own) - NEAR
    said = [pair for n, pairs in enumerate(own) for pair in pairs if n >= near or pair[0] != GENERAL]
    end = r"(?=\s*(?:[吧呢吗了，。！？；、：,.!?;]|[在都也是]|$))"
    for found in re.finditer(rf"{number(lexicon)}\s*({measures(lexicon)}){end}", scene.text):
        nouns = [noun for measure, noun in said if measure == found[1]]
        if nouns and _counts(scene.text[: found.start()], found[0], lexicon):
            yield Change(found.end(), found.end(), ((nouns[-1], "noun"),))


def _counts(before: str, counted: str, lexicon: Lexicon) -> bool:
    """Whether a number with its measure counts things, and neither sums up who stands before it nor is an article."""
    summed = before.rstrip().endswith(tuple(lexicon.grammar["summed"])) or REPEATED.search(before.rstrip())
    return not summed and (counted[0] != "一" or before.endswith(tuple(lexicon.grammar["anew"])))


def _subjects(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The subject of the sentence before, where one begins with what is done."""
    if not scene.before or any(sign in scene.text for sign in SIGNS) or _open(scene.before[-1]):
        return
    earlier, own = words(scene.before[-1], "zh"), words(scene.text, "zh")
    said = any(_subject(word, lexicon) for word in own[:3]) or any(
        word.noun or _subject(word, lexicon) for word in own if opens(scene.text, word.start)
    )
    subject = len(earlier) > 1 and _subject(earlier[0], lexicon) and earlier[1].tag[:1] in AFTER_SUBJECTS
    spoken = any(word.text[-1:] in lexicon.grammar["speech"] for word in own)
    if subject and own and not said and not spoken and _acts(own, lexicon):
        yield Change(own[0].start, own[0].start, ((earlier[0].text, "subject"),))


def _open(text: str) -> bool:
    """Whether a quotation goes on behind the text, or ends in it that began before."""
    return any(text.count(left) != text.count(right) for left, right in zip(SIGNS[::2], SIGNS[1::2], strict=True))


def _subject(word: Word, lexicon: Lexicon) -> bool:
    people = lexicon.classes.get(word.text, ("", False))[0] in ("person", "kin")
    return people or word.tag.startswith("nr") or word.text in {pronoun.form for pronoun in lexicon.pronouns}


def _acts(own: tuple[Word, ...], lexicon: Lexicon) -> bool:
    """Whether words begin with a verb of what people do, or with an adverb and one."""
    first = own[1] if len(own) > 1 and own[0].tag == "d" else own[0]
    return own[0].start == 0 and first.text in lexicon.grammar["actions"]


def _numbered(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """A noun that stood behind a number, where somebody has a number of them and no noun behind it."""
    said = [noun for text in scene.before[-NEAR:] for noun in _counted(text, lexicon)]
    for word in find(scene.text, "en", lexicon.numbers) if said else ():
        counts = word.text.islower() or begins(scene.text, word.start)
        if counts and ends(scene.text, word.end) and held(scene.text, word.start, lexicon):
            yield Change(word.end, word.end, ((f" {said[-1]}", "noun"),))


def _counted(text: str, lexicon: Lexicon) -> Iterator[str]:
    """Plurals behind a number or `how many`, with at most one word between."""
    plurals = {form for form, (name, many) in lexicon.classes.items() if many and name in lexicon.countable}
    number = "|".join(sorted(lexicon.numbers, key=len, reverse=True))
    for found in re.finditer(rf"\b(?:{number}|how many|some|the|her|his|my|their) ([a-z]+)(?: ([a-z]+))?", text, re.I):
        yield from _first(found.groups(), plurals)


def _clauses(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """The sentence before, where it is a plain one, behind `why` and the like at an end."""
    clause = last_clause(scene)
    for found in WHY.finditer(scene.text) if clause else ():
        yield Change(found.end(), found.end(), ((f" {clause}", "clause"),))


def _owned(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """What was last said to be somebody's, where `hers` and the like leave it out."""
    said = [noun for text in scene.before[-NEAR:] for noun in _possessions(text, lexicon)]
    for found in OWNED.finditer(scene.text) if said else ():
        which = found.lastindex or 1
        owner = cased(OWNERS[found[which].lower()], found[which])
        yield Change(found.start(which), found.end(which), ((f"{owner} {said[-1]}", "noun"),))


def _possessions(text: str, lexicon: Lexicon) -> list[str]:
    owners = "|".join((*OWNERS.values(), "his", "its", r"\w+['’]s"))
    things = {form for form, (name, _) in lexicon.classes.items() if name in lexicon.countable}
    found = re.finditer(rf"\b(?:{owners}) ([a-z]+)(?: ([a-z]+))?", text, re.IGNORECASE)
    return [word for one in found for word in _first(one.groups(), things)]


def _first(found: tuple[str | None, ...], wanted: set[str]) -> list[str]:
    """The first of some words that is one of ``wanted``, if any is."""
    return [word.lower() for word in found if word and word.lower() in wanted][:1]


def _able(scene: Scene, lexicon: Lexicon) -> Iterator[Change]:
    """What was last done, behind `can`, `did not`, `wanted to` and the like at an end."""
    for found in MODAL.finditer(scene.text):
        deed = last_deed(scene, lexicon, wished=not DO.search(found[0]))
        if deed and ends(scene.text, found.end()) and not does_more(scene, found.start(), lexicon):
            yield Change(found.end(), found.end(), ((f" {deed[0]}", "verb"),))
