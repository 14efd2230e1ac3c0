"""Chinese numbers with a measure, and the nouns that are counted by it."""

from re import Pattern, compile, escape

from discobench.diagnose.lexicon import Lexicon
from discobench.diagnose.words import following, words


def measures(lexicon: Lexicon) -> str:
    """A pattern of any measure."""
    return "|".join(map(escape, sorted(lexicon.measures, key=len, reverse=True)))


def number(lexicon: Lexicon) -> str:
    """A pattern of any number."""
    return rf"(?:{'|'.join(sorted(lexicon.numbers, key=len, reverse=True))}|\d)+[多来几余]?"


def measured(text: str, lexicon: Lexicon) -> list[tuple[str, str]]:
    """Measures with the whole noun that stands right behind each."""
    pattern = _counted(number(lexicon), measures(lexicon))
    pairs = [(found[1], _noun(text, found.end(), lexicon)) for found in pattern.finditer(text)]
    return [(measure, noun) for measure, noun in pairs if noun]


def _counted(numbers: str, kinds: str) -> Pattern[str]:
    return compile(rf"{numbers}\s*({kinds})\s*")


def _noun(text: str, at: int, lexicon: Lexicon) -> str | None:
    """A noun, one of a single character if it is common, where no noun or `的` follows that it would only describe."""
    noun = following(text, at, "zh")
    if (
        noun is None
        or noun.start - at > 1
        or (len(noun.text) < 2 and noun.text not in lexicon.grammar["single"])
        or not (noun.noun or noun.text in lexicon.classes)
    ):
        return None
    after = next((word for word in words(text, "zh") if word.start >= noun.end), None)
    whole = after is None or not (after.noun or after.text in "的之" or after.tag == "ng")
    return noun.text if whole and not noun.tag.startswith(("nr", "ns", "nt")) else None
