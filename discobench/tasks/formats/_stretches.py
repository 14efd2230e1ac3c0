"""Splits within one novel: which excerpts overlap and must stay together."""

from collections.abc import Sequence

SHARED = 8
"""Characters; a shorter line (`她问。`) comes again by itself and says nothing about overlap."""


def stretches(excerpts: Sequence[Sequence[str]]) -> list[int]:
    """For each excerpt, the place of the first one of its stretch.

    A stretch is made of excerpts that share a line of at least ``SHARED`` characters, directly or through
    others; so no such line of one stretch is in another. ``excerpts`` hold lines in a comparable form.
    """
    parent = list(range(len(excerpts)))
    first: dict[str, int] = {}
    for place, lines in enumerate(excerpts):
        for line in lines:
            if len(line) >= SHARED:
                one, other = (_root(parent, member) for member in (place, first.setdefault(line, place)))
                parent[max(one, other)] = min(one, other)
    return [_root(parent, place) for place in range(len(excerpts))]


def _root(parent: list[int], place: int) -> int:
    while parent[place] != place:
        parent[place] = place = parent[parent[place]]
    return place
