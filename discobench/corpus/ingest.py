"""Raw documents to records: ids, provenance, nothing changed in the text but line ends."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from discobench.corpus.formats import read
from discobench.corpus.formats.base import Limits, Manner, Raw, Source
from discobench.corpus.names import taken_apart
from discobench.corpus.rules import Rules
from discobench.progress import Progress
from discobench.records import record_id
from discobench.schema import empty
from discobench.sieve import Outcome

UNKNOWN = empty("document")
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Kind:
    """What ingestion needs to know of a genre; the keys of ``genres.<name>`` in the configuration."""

    path: str
    document: str
    language: str
    category: str
    genre: str
    format: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    work: str = "folder"


def ingest(
    name: str, kind: Kind, sources: Iterable[Source], rules: Rules, limits: Limits, total: float = 0
) -> Iterator[Outcome]:
    """A record of schema ``document`` per raw document, or why there is none.

    The split, sentences, units and checksum are left to ``clean``. ``name`` is the genre's key, which is
    the record's source; the work's id is ``<name>:<work>``. ``total`` is about how many bytes the sources have.
    """
    manner = Manner(kind.document, kind.language, rules, limits, kind.format, kind.fields)
    progress, before = Progress(name, "MB", total / MB), 0
    for source in sources:
        file, (start, end) = taken_apart(source.path), source.part or (0, source.bytes)
        told = not (file.compression or file.archive)  # what is packed does not say how far it is read
        for raw in read(Path(kind.path), source, manner):
            yield _record(name, kind, source, raw), raw.reason
            progress.reach((before + (min(max(0, raw.byte_end - start), end - start) if told else 0)) / MB)
        before += end - start
        progress.reach(before / MB)


def _record(name: str, kind: Kind, source: Source, raw: Raw) -> dict[str, Any]:
    given = raw.work or source.work
    alone = kind.work == "document" and not given
    work, work_id, before = _names(name, kind.work, source.path, raw.inner, raw.place if alone else given, alone)
    named = raw.title or source.title or (work.rpartition("/")[2] if kind.document == "file" else None)
    about = {"id": before + raw.place, "source": name, "work_id": work_id, "title": named}
    return {**_about(kind, source, raw), **about, "text": raw.text, "sentence_offsets": []}


def _about(kind: Kind, source: Source, raw: Raw) -> dict[str, Any]:
    """What of a record its genre and its place in the files say; what ``clean`` adds is null."""
    return {
        **UNKNOWN,
        "language": kind.language,
        "category": kind.category,
        "genre": kind.genre,
        "author": raw.author or source.author,
        "member": "!".join(part for part in (source.path, raw.inner, raw.page) if part),
        "byte_start": raw.byte_start,
        "byte_end": raw.byte_end,
    }


@lru_cache(1024)
def _names(name: str, kind: str, path: str, inner: str | None, given: str | None, alone: bool) -> tuple[str, str, str]:
    """A document's work, the work's id, and what of its id stands before its place in the file.

    Its work is what the file or the document itself calls so (``given``), or else, by the genre's
    ``work``, the first folder of its path, all of its path, or itself (``alone``; then ``given`` is its place).
    """
    stem = "/".join(part for part in (taken_apart(path).stem, inner) if part)
    work = stem.partition("/")[0] if kind == "folder" else stem
    if alone:
        work, rest = f"{stem}/{given}", ""
    elif given and given != work:
        work, rest = given, f"{stem}/"
    else:
        rest = f"{stem[len(work) + 1 :]}/" if stem != work else ""
    return work, record_id(name, work, "").removesuffix(":"), record_id(name, work, rest)
