"""Raw files to raw documents: one reader per format behind ``read``.

A reader is a function of a ``Blob`` (bytes, already unpacked) and a ``Manner`` (how the genre is read)
that yields ``Raw``; it raises ``Refused`` with the reason why the rest of the file is not read. A new
format is one module and one line here.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from errno import EINVAL
from pathlib import Path

from discobench.corpus.formats import archives, blobs
from discobench.corpus.formats.base import Blob, Format, Manner, Raw, Refused, Source, rest
from discobench.corpus.formats.columns import read_parquet
from discobench.corpus.formats.couplets import read_couplets
from discobench.corpus.formats.epub import read_epub
from discobench.corpus.formats.html import read_html
from discobench.corpus.formats.jsonlines import read_jsonl
from discobench.corpus.formats.plays import read_xml
from discobench.corpus.formats.subtitles import read_subtitles
from discobench.corpus.formats.tables import read_csv, read_tsv
from discobench.corpus.formats.text import read_text
from discobench.corpus.formats.values import read_json
from discobench.corpus.names import Name, taken_apart
from discobench.errors import DiscoError

FORMATS = {
    "text": Format(read_text, (".txt", ".text"), divisible=True, lines=True),
    "jsonl": Format(read_jsonl, (".jsonl", ".ndjson"), divisible=True),
    "json": Format(read_json, (".json",)),
    "csv": Format(read_csv, (".csv",)),
    "tsv": Format(read_tsv, (".tsv",)),
    "parquet": Format(read_parquet, (".parquet",), divisible=True),
    "html": Format(read_html, (".html", ".htm", ".xhtml")),
    "epub": Format(read_epub, (".epub",)),
    "subtitles": Format(read_subtitles, (".srt", ".ass", ".ssa", ".vtt")),
    "xml": Format(read_xml, (".xml", ".tei")),
    "couplets": Format(read_couplets),
}
SUFFIXES = {suffix: name for name, known in FORMATS.items() for suffix in known.suffixes}


def read(folder: Path, source: Source, manner: Manner) -> Iterator[Raw]:
    """The raw documents of one file, in its order; what cannot be read comes with a reason.

    Raises DiscoError when the disk, not the file, is at fault.
    """
    path = folder / source.path
    try:
        yield from _accounted(_file(path, source, manner), path.stat().st_size, source.part is None)
    except OSError as error:
        raise DiscoError(f"{path} cannot be read ({error.strerror}); a file that you may read is needed.") from error


def _accounted(raws: Iterator[Raw], size: int, whole: bool) -> Iterator[Raw]:
    """Some documents, and what stopped their reader; a whole file without any is empty."""
    position = count = 0
    try:
        for raw in raws:
            position, count = raw.byte_end, count + 1
            yield raw
        if not count and whole:
            yield rest("empty", 0, size)
    except Refused as error:
        yield rest(str(error), position, size)
    except blobs.BROKEN as error:
        if isinstance(error, OSError) and error.errno not in (None, EINVAL):
            raise  # the disk is at fault; EINVAL is a place outside the file, which a broken archive names
        yield rest(blobs.fault(error), position, size)


def format_of(name: Name, forced: str | None) -> Format | None:
    """The format of a file: the genre's, or that of its suffix."""
    return FORMATS.get(forced or SUFFIXES.get(name.suffix, ""))


def _file(path: Path, source: Source, manner: Manner) -> Iterator[Raw]:
    name, limits = taken_apart(source.path), manner.limits
    if source.part and name.compression:
        blob = blobs.zstd_part(path, source.part, limits, source.encoding)
    else:
        blob = blobs.plain(path, source.part or (0, None), source.encoding)
        if name.compression:
            blob = blobs.unpacked(blob, name.compression, source.bytes, limits)
    if not source.bytes:
        return
    if not name.archive:
        yield from _documents(name, blob, manner)
    elif name.suffix == ".tar":
        yield from _members(archives.tar_members(blob, manner.language), manner)
    elif name.compression:
        raise Refused("nested archive")
    else:
        yield from _members(archives.zip_members(blob, source.bytes, manner.language, limits), manner)


def _documents(name: Name, blob: Blob, manner: Manner) -> Iterator[Raw]:
    known = format_of(name, manner.format)
    if known is None:
        raise Refused(f"unknown format {name.suffix or 'without suffix'}")
    yield from known.read(blob, manner)


def _members(members: Iterator[archives.Member], manner: Manner) -> Iterator[Raw]:
    """Documents of the files in an archive; the faults of one are no fault of the others."""
    seen: Counter[str] = Counter()
    for member in members:
        inner = _once(member.name, seen)
        for raw in _accounted(_inside(member, manner), member.packed, True):
            yield replace(raw, inner=inner)


def _once(name: str, seen: Counter[str]) -> str:
    """A member's name, with a number where an earlier one would give the same ids."""
    inner, key = name, name.replace(":", "_")
    while seen[inner.replace(":", "_")]:
        seen[key] += 1
        inner = f"{name}#{seen[key]}"
    seen[inner.replace(":", "_")] += 1
    return inner


def _inside(member: archives.Member, manner: Manner) -> Iterator[Raw]:
    name = taken_apart(member.name)
    if member.blob is None:
        raise Refused(member.reason or "broken archive")
    if name.archive:
        raise Refused("nested archive")
    blob = member.blob
    if name.compression:
        blob = blobs.unpacked(blob, name.compression, member.packed, manner.limits)
    yield from _documents(name, blob, manner)
