"""Running text from the words of trees, with the place of every word: what a tokenizer learns from."""

from collections.abc import Sequence

NO_BLANK_BEFORE = frozenset(",.;:!?)]}%…") | {"n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "'"}
NO_BLANK_AFTER = frozenset("([{$#")
QUOTE = '"'


def detokenise(words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The words as one line of text, and their code point spans in it.

    Marks cling to the word they follow; double quotes open and close in turn.
    """
    text = ""
    spans: list[tuple[int, int]] = []
    quoted = False
    glued = True
    for word in words:
        closing = word == QUOTE and quoted
        blank = "" if glued or closing or word.lower() in NO_BLANK_BEFORE else " "
        spans.append((len(text) + len(blank), len(text) + len(blank) + len(word)))
        text += blank + word
        quoted ^= word == QUOTE
        glued = word in NO_BLANK_AFTER or (word == QUOTE and quoted)
    return text, spans


def character_labels(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """One digit a character, as stanza's tokenizer is taught: 1 ends a word, 2 a sentence, 0 neither."""
    labels = ["0"] * len(text)
    for _, end in spans:
        labels[end - 1] = "1"
    labels[spans[-1][1] - 1] = "2"
    return "".join(labels)
