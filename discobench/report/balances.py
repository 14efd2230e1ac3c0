"""The balance sheet: every step's records, in = kept + dropped, shards and seeds added up."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from discobench.files import read_json

SUFFIX = ".balance.json"
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


def _sum(step: str, paths: list[Path]) -> Sum:
    contents = [read_json(path) for path in paths]
    dropped: Counter[str] = Counter()
    for content in contents:
        dropped.update(content["dropped"])
    received, kept = (sum(content[key] for content in contents) for key in ("in", "kept"))
    return Sum(step, len(paths), received, kept, tuple(sorted(dropped.items())))
