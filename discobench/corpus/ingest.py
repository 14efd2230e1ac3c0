"""Raw documents to records: ids, provenance, nothing changed in the text but line ends."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.corpus.readers import Raw, read
from discobench.corpus.rules import Rules
from discobench.corpus.sources import Source
from discobench.corpus.texts import digest
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


def ingest(name: str, genre: Kind, sources: Iterable[Source], rules: Rules) -> Iterator[Outcome]:
    """A record of schema ``document`` per raw document, or why there is none.

    The split, sentences and units are left to ``clean``. ``name`` is the genre's key, which is
    the record's source; the work's id is ``<name>:<work>``.
    """
    folder = Path(genre.path)
    for source in sources:
        for raw in read(folder, source, genre.document, genre.language, rules):
            yield _record(name, genre, source, raw), raw.reason


def _record(name: str, genre: Kind, source: Source, raw: Raw) -> dict[str, Any]:
    own, rest = source.parts
    work = raw.work or own
    place = "/".join(part for part in ("" if work == own else own, rest, f"{raw.number:06d}") if part)
    return {
        "id": record_id(name, work, place),
        "source": name,
        "work_id": record_id(name, work, "").removesuffix(":"),
        "language": genre.language,
        "split": None,
        "category": genre.category,
        "genre": genre.genre,
        "title": raw.title or (work if genre.document == "file" else None),
        "author": raw.author,
        "member": source.member,
        "byte_start": raw.byte_start,
        "byte_end": raw.byte_end,
        "text": raw.text,
        "sentence_offsets": [],
        "units": None,
        "sha256": digest(raw.text),
    }
