"""From the tokens of a BERT-style vocabulary back to text.

Rule: ``##`` pieces join what precedes them; between two Chinese, Japanese or full-width characters
there is no blank; an English token is preceded by a blank except after an opening bracket or
a dash-like joiner, and before closing punctuation and clitics. Lower case stays, for the case is lost.
"""

from collections.abc import Iterable

CLOSING = frozenset(".,!?;:)]}%…’”")
OPENING = frozenset("([{$#“‘")
JOINERS = frozenset("'-/_@")


def detokenise(tokens: Iterable[str]) -> str:
    """One string for WordPiece ``tokens``, special tokens left out."""
    text, quotes = "", 0
    for word in _words(tokens):
        opening = word == '"' and quotes % 2 == 0
        closing = word == '"' and not opening
        quotes += word == '"'
        glued = closing or not text or (quotes % 2 == 1 and not opening and text.endswith('"'))
        text += word if glued or not _apart(text[-1], word[0]) else f" {word}"
    return text


def _words(tokens: Iterable[str]) -> list[str]:
    words: list[str] = []
    for token in tokens:
        if token.startswith("##") and len(token) > 2 and words:
            words[-1] += token[2:]
        else:
            words.append(token)
    return words


def _apart(left: str, right: str) -> bool:
    """Whether a blank belongs between two neighbouring words that end and begin so."""
    if _wide(left) or _wide(right):
        return False
    return not (right in CLOSING or left in OPENING or left in JOINERS or right in JOINERS)


def _wide(character: str) -> bool:
    """Han, kana, CJK punctuation and full-width forms, which take no blank."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef" or character >= "\U00020000"
