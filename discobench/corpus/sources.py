"""Which raw files a genre has, which of them may be read in parts, and which shard reads what."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from backports.zstd import ZstdError

from discobench.corpus.encodings import WIDE
from discobench.corpus.formats import format_of
from discobench.corpus.formats.base import Limits, Refused, Source
from discobench.corpus.formats.blobs import plain, unpacked, zstd_frames
from discobench.corpus.formats.text import encoding_of
from discobench.corpus.listing import Place, listed
from discobench.corpus.names import Name, taken_apart
from discobench.errors import DiscoError
from discobench.files import open_text, sha256, write_jsonl
from discobench.progress import told
from discobench.schema import SURROGATE

SMALL = 1 << 20
"""Files of fewer bytes are not read in parts."""


def list_sources(place: Place, limits: Limits) -> Iterator[dict[str, Any]]:
    """What ``Source`` needs to know of every file, and its checksum, sorted by path; each is read as it is asked for.

    Raises DiscoError naming the configuration key when there is none, or when two files would give the
    same ids.
    """
    files = listed(place) if Path(place.path).is_dir() else {}
    if not files:
        state = "holds no file that is wanted" if Path(place.path).is_dir() else "is no folder"
        raise DiscoError(
            f"{place.key}.path: found {place.path!r}, which {state}; put raw files there or change the key."
        )
    odd = [path for path in files if SURROGATE.search(path)]
    if odd:
        raise DiscoError(f"{place.key}.path: {odd[0]!r} has a name that is not UTF-8; rename it.")
    _check_names(files, place.key)
    looked_at = told(files.items(), place.key, "files", len(files))
    return (_source(path, facts, place, limits) for path, facts in looked_at)


def _check_names(paths: Iterable[str], key: str) -> None:
    seen: dict[str, str] = {}
    for path in paths:
        stem = taken_apart(path).stem.replace(":", "_")
        if stem in seen:
            raise DiscoError(f"{key}.path: {seen[stem]!r} and {path!r} would give the same ids; rename or exclude one.")
        seen[stem] = path


def _source(path: str, facts: Mapping[str, str], place: Place, limits: Limits) -> dict[str, Any]:
    file = Path(place.path) / path
    size = file.stat().st_size
    encoding = None
    divisible = size >= SMALL and _divisible(file, taken_apart(path), place, limits)
    if divisible and (known := format_of(taken_apart(path), place.format)) and known.lines:
        encoding = _encoding(file, taken_apart(path), size, place, limits)
        divisible = encoding is not None
    return {"path": path, "bytes": size, "sha256": sha256(file), "divisible": divisible, "encoding": encoding, **facts}


def _divisible(file: Path, name: Name, place: Place, limits: Limits) -> bool:
    known = format_of(name, place.format)
    if known is None or not known.divisible or (known.lines and place.document != "line"):
        return False
    if not name.compression:
        return True
    frames = zstd_frames(file) if name.compression == ".zst" and name.suffix != ".parquet" else None
    return len(frames or []) > 1 and _sound(file, name, limits)


def _sound(file: Path, name: Name, limits: Limits) -> bool:
    """Whether all of a file unpacks: of one that does not, what is lost must not depend on how it is cut."""
    try:
        with unpacked(plain(file), name.compression, file.stat().st_size, limits).stream(0) as stream:
            while stream.read(SMALL):
                pass
    except (Refused, ZstdError, EOFError):
        return False
    return True


def _encoding(file: Path, name: Name, size: int, place: Place, limits: Limits) -> str | None:
    """The encoding of a text, decoded as a whole; None where lines cannot be told by their bytes."""
    blob = plain(file)
    if name.compression:
        blob = unpacked(blob, name.compression, size, limits)
    try:
        encoding, mark = encoding_of(blob, place.language)
    except Refused:
        return None
    return None if encoding in WIDE else "utf-8-sig" if mark else encoding


def written(path: Path, files: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Write the list of a genre's files, one a line; returns how many there are, and their bytes."""
    total = {"files": 0, "bytes": 0}

    def counted() -> Iterator[Mapping[str, Any]]:
        for entry in files:
            total["files"] += 1
            total["bytes"] += entry["bytes"]
            yield entry

    write_jsonl(path, counted())
    return total


def read_sources(path: Path) -> Iterator[Source]:
    """The files of such a list, one after the other."""
    with open_text(path) as stream:
        for line in stream:
            yield Source(**{key: value for key, value in json.loads(line).items() if key != "sha256"})


def of_shard(sources: Iterable[Source], total: int, shard: int, shards: int) -> Iterator[Source]:
    """What one shard reads of sources of ``total`` bytes: consecutive files and parts of files.

    Shards are about equal in bytes. Read one after the other they give all records of the sorted files,
    however many they are.
    """
    low, high = total * shard // shards, total * (shard + 1) // shards
    before = 0
    for source in sources:
        start, end = max(low - before, 0), min(high - before, source.bytes)
        middle = (2 * before + source.bytes) * shards // max(2 * total, 1)
        if source.divisible and start < end:
            yield replace(source, part=(start, end))
        elif not source.divisible and min(middle, shards - 1) == shard:
            yield source
        before += source.bytes
        if before > high:
            return
