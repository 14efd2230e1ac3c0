"""Which raw files a genre has, which work each belongs to, and which shard reads it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from discobench.errors import DiscoError
from discobench.files import sha256
from discobench.schema import SURROGATE

SUFFIXES = (".txt", ".txt.gz", ".jsonl", ".jsonl.gz")
"""What the readers know; other files are listed too and dropped with a reason at ingestion."""


@dataclass(frozen=True, slots=True)
class Source:
    """One raw file; ``member`` is its path inside the genre's folder, with ``/`` everywhere."""

    member: str
    bytes: int

    @property
    def suffix(self) -> str:
        """One of SUFFIXES, or whatever the name ends with."""
        known = [suffix for suffix in SUFFIXES if self.member.endswith(suffix)]
        return known[0] if known else PurePosixPath(self.member).suffix

    @property
    def parts(self) -> tuple[str, str]:
        """The work and the file's place in it: chapters in a folder are one work, never split apart."""
        work, _, rest = self.member.removesuffix(self.suffix).partition("/")
        return work, rest


def list_sources(folder: Path, key: str) -> list[dict[str, Any]]:
    """Path, size and checksum of every file below ``folder``, sorted by path.

    Raises DiscoError naming the configuration key ``key`` when there is none, or when two files
    would give the same ids.
    """
    dangling = [path for path in folder.rglob("*") if path.is_symlink() and not path.exists()]
    if dangling:
        raise DiscoError(f"{key}: {str(dangling[0])!r} is a link to nothing; mend or remove it.")
    files = [path for path in folder.rglob("*") if path.is_file() and not _hidden(path, folder)]
    if not files:
        state = "holds no file" if folder.is_dir() else "is no folder"
        raise DiscoError(f"{key}: found {str(folder)!r}, which {state}; put raw files there or name another folder.")
    members = sorted((path.relative_to(folder).as_posix(), path) for path in files)
    odd = [member for member, _ in members if SURROGATE.search(member)]
    if odd:
        raise DiscoError(f"{key}: {odd[0]!r} has a name that is not UTF-8; rename it.")
    _check_names([member for member, _ in members], key)
    return [{"path": name, "bytes": path.stat().st_size, "sha256": sha256(path)} for name, path in members]


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _check_names(members: Iterable[str], key: str) -> None:
    seen: dict[tuple[str, ...], str] = {}
    for member in members:
        parts = tuple(part.replace(":", "_") for part in Source(member, 0).parts)
        if parts in seen:
            raise DiscoError(f"{key}: {seen[parts]!r} and {member!r} would give the same ids; rename one of them.")
        seen[parts] = member


def of_shard(sources: Sequence[Source], shard: int, shards: int) -> list[Source]:
    """The files of one shard: consecutive ones, shards about equal in bytes.

    Shards read one after the other give the sorted files, however many shards there are.
    """
    total = sum(source.bytes for source in sources)
    chosen, before = [], 0
    for source in sources:
        middle = 2 * before + source.bytes
        if min(middle * shards // max(2 * total, 1), shards - 1) == shard:
            chosen.append(source)
        before += source.bytes
    return chosen
