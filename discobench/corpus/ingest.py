"""Raw documents to records: ids, provenance, nothing changed in the text but line ends."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from discobench.corpus.formats import read
from discobench.corpus.formats.base import Limits, Manner, Raw, Source
from discobench.corpus.names import taken_apart
from discobench.corpus.rules import Rules
from discobench.records import record_id
from discobench.sieve import Outcome


@dataclass(frozen=True, slots=True)
class Kind:
    """What ingestion needs to know of a genre; the keys of ``genres.<name>`` in the configuration."""

    path: str
    document: str
    language: str
    category: str
    genre: str
    files: str | Sequence[str] | None = None
    format: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    work: str = "folder"


def ingest(name: str, kind: Kind, sources: Iterable[Source], rules: Rules, limits: Limits) -> Iterator[Outcome]:
    """A record of schema ``document`` per raw document, or why there is none.

    The split, sentences, units and checksum are left to ``clean``. ``name`` is the genre's key, which is
    the record's source; the work's id is ``<name>:<work>``.
    """
    manner = Manner(kind.document, kind.language, rules, limits, kind.format, kind.fields)
    for source in sources:
        for raw in read(Path(kind.path), source, manner):
            yield _record(name, kind, source, raw), raw.reason


def _record(name: str, kind: Kind, source: Source, raw: Raw) -> dict[str, Any]:
    work, place = _place(kind, source, raw)
    named = raw.title or source.title or (work.rpartition("/")[2] if kind.document == "file" else None)
    return {
        "id": record_id(name, work, place),
        "source": name,
        "work_id": record_id(name, work, "").removesuffix(":"),
        "language": kind.language,
        "split": None,
        "category": kind.category,
        "genre": kind.genre,
        "title": named,
        "author": raw.author or source.author,
        "member": "!".join(part for part in (source.path, raw.inner, raw.page) if part),
        "byte_start": raw.byte_start,
        "byte_end": raw.byte_end,
        "text": raw.text,
        "sentence_offsets": [],
        "units": None,
        "sha256": None,
    }


def _place(kind: Kind, source: Source, raw: Raw) -> tuple[str, str]:
    """A document's work and its place in it: what the file, or the document itself, calls its work, or
    else by the genre's ``work`` the first folder of its path, all of its path, or itself."""
    path = taken_apart(source.path).stem
    if raw.inner:
        path = f"{path}/{raw.inner}"
    given = raw.work or source.work
    work = path.partition("/")[0] if kind.work == "folder" else path
    if given and given != work:
        return given, f"{path}/{raw.place}"
    if kind.work == "document":
        return f"{path}/{raw.place}", raw.place
    rest = path[len(work) + 1 :]
    return work, "/".join(part for part in (rest, raw.place) if part)
