"""Penn-bracket trees and their text, with the parts that may be cut marked."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

QUOTES = {"``": '"', "''": '"'}
GLUED_LEFT = {",", ".", "?", "!", "''", "n't", "'s", ";", ":"}


@dataclass(frozen=True)
class Node:
    """A constituent, or a leaf when ``word`` is set; ``cut`` names the modifier it is, if it is one."""

    label: str
    children: tuple["Node", ...] = ()
    word: str = ""
    cut: str = ""


def leaf(tag: str, word: str) -> Node:
    """A word with its part of speech."""
    return Node(tag, word=word)


def node(label: str, *children: Node) -> Node:
    """A constituent over ``children``."""
    return Node(label, children)


def cut(kind: str, tree: Node) -> Node:
    """Mark ``tree`` as a modifier of ``kind`` that may be cut."""
    return replace(tree, cut=kind)


def bracket(tree: Node) -> str:
    """The tree in Penn brackets on one line."""
    if tree.word:
        return f"({tree.label} {tree.word})"
    return f"({tree.label} {' '.join(map(bracket, tree.children))})"


def words(tree: Node, kind: str = "") -> Iterator[tuple[str, str, int]]:
    """Every word with the outermost cut that holds it and that cut's identity."""
    yield from _words(tree, kind, 0)


def _words(tree: Node, kind: str, key: int) -> Iterator[tuple[str, str, int]]:
    if tree.cut and not kind:
        kind, key = tree.cut, id(tree)
    if tree.word:
        yield tree.word, kind, key
    for child in tree.children:
        yield from _words(child, kind, key)


def separator(before: str | None, word: str) -> str:
    """What stands between two Penn tokens in running text."""
    return "" if before in (None, "``") or word in GLUED_LEFT else " "


def text(tree: Node) -> str:
    """The sentence as a person writes it, its first letter a capital."""
    return capital(joined([word for word, _, _ in words(tree)]))


def joined(tokens: list[str]) -> str:
    """Running text from Penn tokens."""
    pairs = zip([None, *tokens[:-1]], tokens, strict=True)
    return "".join(separator(before, token) + QUOTES.get(token, token) for before, token in pairs)


def capital(sentence: str) -> str:
    """The sentence with its first letter in upper case, behind a quotation mark if there is one."""
    at = 1 if sentence.startswith('"') else 0
    return sentence[:at] + sentence[at : at + 1].upper() + sentence[at + 1 :]


def capitalised(tree: Node) -> Node:
    """The tree with the first letter of its first real word in upper case."""
    if tree.word:
        return replace(tree, word=tree.word[0].upper() + tree.word[1:])
    at = next(i for i, child in enumerate(tree.children) if child.word != "``")
    children = [*tree.children]
    children[at] = capitalised(children[at])
    return replace(tree, children=tuple(children))
