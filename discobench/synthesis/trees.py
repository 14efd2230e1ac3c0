"""Constituency trees: reading and writing Penn brackets, and walking them.

Nothing here recurses: a parser may hand over trees hundreds of levels deep.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from discobench.errors import DiscoError

PIECES = re.compile(r"[()]|[^\s()]+")
ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
OUTER = ("ROOT", "TOP", "")


@dataclass(slots=True, eq=False)
class Node:
    """A constituent over the leaves ``start:end``; a leaf's own node has ``word`` and no children."""

    label: str
    word: str | None = None
    parent: "Node | None" = field(default=None, repr=False)
    children: list["Node"] = field(default_factory=list)
    start: int = 0
    end: int = 0

    @property
    def index(self) -> int:
        """Position among the siblings; 0 for the root."""
        return 0 if self.parent is None else next(i for i, c in enumerate(self.parent.children) if c is self)

    def sibling(self, distance: int) -> "Node | None":
        """The sibling ``distance`` places to the right (left when negative), or None."""
        if self.parent is None:
            return None
        place = self.index + distance
        return self.parent.children[place] if 0 <= place < len(self.parent.children) else None

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, parents first, left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def leaves(self) -> list["Node"]:
        """Preterminals from left to right."""
        return [node for node in self.walk() if node.word is not None]

    def words(self) -> list[str]:
        """The words below, brackets and quotes as in running text."""
        return [ESCAPES.get(leaf.word or "", leaf.word or "") for leaf in self.leaves()]


def read_tree(text: str) -> Node:
    """The one tree that ``text`` holds; raises DiscoError when it is not one balanced tree."""
    trees = read_trees(text)
    if len(trees) != 1:
        raise DiscoError(f"{text[:60]!r} holds {len(trees)} trees; exactly one is needed.")
    return trees[0]


def read_trees(text: str) -> list[Node]:
    """All bracketed trees of ``text``; raises DiscoError with the place of an unbalanced bracket."""
    trees: list[Node] = []
    open_nodes: list[Node] = []
    fresh = False
    for match in PIECES.finditer(text):
        piece = match.group()
        if piece == "(":
            node = Node("", parent=open_nodes[-1] if open_nodes else None)
            open_nodes.append(node)
        elif not open_nodes:
            raise DiscoError(f"{piece!r} at character {match.start()} is outside any tree; mend the brackets.")
        elif piece == ")":
            _close(open_nodes, trees)
        elif fresh:
            open_nodes[-1].label = piece
        else:
            _fill(open_nodes[-1], piece, match.start())
        fresh = piece == "("
    if open_nodes:
        raise DiscoError(f"the tree that begins {text[:40]!r} has {len(open_nodes)} brackets unclosed; mend it.")
    return trees


def _fill(node: Node, word: str, place: int) -> None:
    if node.word is not None or node.children:
        raise DiscoError(
            f"{word!r} at character {place} stands beside other words of {node.label!r}; bracket each word."
        )
    node.word = word


def _close(open_nodes: list[Node], trees: list[Node]) -> None:
    done = open_nodes.pop()
    if open_nodes:
        open_nodes[-1].children.append(done)
    else:
        trees.append(numbered(done))


def numbered(root: Node) -> Node:
    """Set every ``start`` and ``end`` from the leaves; returns ``root``."""
    count = 0
    nodes = list(root.walk())
    for node in nodes:
        node.start = count
        count += node.word is not None
    for node in reversed(nodes):
        node.end = node.start + 1 if node.word is not None else max((c.end for c in node.children), default=node.start)
    return root


def write_tree(root: Node) -> str:
    """Penn brackets on one line."""
    parts: list[str] = []
    stack: list[Node | str] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
        elif item.word is not None:
            parts.append(f" ({item.label} {item.word})")
        else:
            parts.append(f" ({item.label}")
            stack.extend([")", *reversed(item.children)])
    return "".join(parts).strip()


def plain(root: Node) -> Node:
    """The tree as a parser learns it: no traces, no function tags, one ROOT on top (Penn convention)."""
    bare = _without_traces(root)
    if bare is None:
        raise DiscoError(f"the tree {write_tree(root)[:60]!r} has no words; remove it.")
    top = Node("ROOT", children=bare.children if bare.label in OUTER and bare.word is None else [bare])
    for child in top.children:
        child.parent = top
    return numbered(top)


def _without_traces(root: Node) -> Node | None:
    """A copy from the leaves up; constituents that only held traces go with them."""
    copies: dict[int, Node] = {}
    for node in reversed(list(root.walk())):
        children = [copies[id(c)] for c in node.children if id(c) in copies]
        if node.label == "-NONE-" or (node.word is None and not children):
            continue
        copy = Node(_bare(node.label), node.word, None, children)
        for child in children:
            child.parent = copy
        copies[id(node)] = copy
    return copies.get(id(root))


def _bare(label: str) -> str:
    return label if label.startswith("-") else re.split("[-=|]", label)[0]
