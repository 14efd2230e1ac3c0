"""The balance sheet: every step's records, in = kept + dropped, shards and seeds added up; documents by genre."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from discobench.files import read_json

SUFFIX = ".balance.json"
STEPS = ("ingest", "clean", "deduplicate", "decontaminate")
SHARDED = re.compile(rf"corpus/(?P<genre>[^/]+)/\*/(?P<step>{'|'.join(STEPS)})")
SHARD = re.compile(r"/\d+(?=/)|(?<=seed-)\d+")


@dataclass(frozen=True, slots=True)
class Sum:
    """What a step received, kept and dropped, over ``files`` manifests."""

    step: str
    files: int
    received: int
    kept: int
    dropped: tuple[tuple[str, int], ...]

    @property
    def balanced(self) -> bool:
        """Whether nothing was lost on the way."""
        return self.received == self.kept + sum(n for _, n in self.dropped)


def balance_sheet(root: Path, paths: Iterable[Path]) -> list[Sum]:
    """Sums of the manifests at ``paths`` by step; ``*`` stands for the shards or seeds added up."""
    groups: dict[str, list[Path]] = {}
    for path in sorted(paths):
        name = path.relative_to(root).as_posix().removesuffix(SUFFIX)
        groups.setdefault(SHARD.sub(lambda m: "/*" if m[0].startswith("/") else "*", name), []).append(path)
    return [_sum(step, members) for step, members in sorted(groups.items())]


@dataclass(frozen=True, slots=True)
class Flow:
    """Documents of a genre: how many were read, and how many each of STEPS that the run has kept of them."""

    genre: str
    received: int
    kept: tuple[int | None, ...]
    whole: bool
    """Whether each step received what the one before kept."""


def flows(sums: Iterable[Sum]) -> list[Flow]:
    """The way of each genre's documents through the corpus."""
    found: dict[str, dict[str, Sum]] = {}
    for line in sums:
        if match := SHARDED.fullmatch(line.step):
            found.setdefault(match["genre"], {})[match["step"]] = line
    return [_flow(genre, steps) for genre, steps in found.items() if "ingest" in steps]


def _flow(genre: str, steps: Mapping[str, Sum]) -> Flow:
    taken = [steps[step] for step in STEPS if step in steps]
    whole = all(after.received == before.kept for before, after in pairwise(taken)) and all(
        line.balanced for line in taken
    )
    kept = tuple(steps[step].kept if step in steps else None for step in STEPS)
    return Flow(genre, steps["ingest"].received, kept, whole)


def _sum(step: str, paths: list[Path]) -> Sum:
    contents = [read_json(path) for path in paths]
    dropped: Counter[str] = Counter()
    for content in contents:
        dropped.update(content["dropped"])
    received, kept = (sum(content[key] for content in contents) for key in ("in", "kept"))
    return Sum(step, len(paths), received, kept, tuple(sorted(dropped.items())))
