"""Texts back into an archive that withholds them, from a copy of the sources of one's own."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from discobench.errors import DiscoError
from discobench.operations.release import SUMS, withheld

Record = Mapping[str, Any]
RATIO = 200
"""A member may be so many times as large as it is packed; checksums hardly shrink."""
BROKEN = (OSError, EOFError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What a file raises that is no archive, is cut or damaged, is encrypted, or is packed in another way."""
REMEDY = "build from the version of the sources, and with the settings, that the archive was made with"


def rebuilt(released: Iterable[Record], own: Iterable[Record], where: str) -> Iterator[Record]:
    """The released records, in their order, each with the texts of the record of one's own that has its id.

    Raises DiscoError for a record that one's own do not have, or whose texts have other checksums.
    """
    texts = {str(record["id"]): record for record in own}
    for record in released:
        mine = texts.get(str(record.get("id")))
        if mine is None:
            raise DiscoError(f"{where}: your sources give no record {record.get('id')!r}; {REMEDY}.")
        odd = [name for name, value in withheld(mine).items() if record.get(name) not in (value, mine[name])]
        if odd:
            raise DiscoError(
                f"{where}: record {record['id']!r} differs from that of your sources in {odd[0]}; {REMEDY}."
            )
        yield mine


def released(path: Path, member: str) -> Iterator[Record]:
    """The records of one member of an archive.

    Raises DiscoError for what is no archive of `release_tasks`, and at the end for a member that is not the one its
    checksums are of.
    """
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(path) as archive:
            with _opened(path, archive, member) as stream:
                for line in stream:
                    digest.update(line)
                    yield _record(line)
            with _opened(path, archive, SUMS) as stream:
                listed = f"{digest.hexdigest()}  {member}".encode() in stream.read().split(b"\n")
    except BROKEN as error:
        raise DiscoError(
            f"{path} does not hold {member} as `release_tasks` packs it ({error}); name another."
        ) from error
    if not listed:
        raise DiscoError(f"{path}: {member} was changed since it was packed: {SUMS} does not list it; name another.")


def _opened(path: Path, archive: zipfile.ZipFile, member: str) -> IO[bytes]:
    entry = archive.getinfo(member)
    if entry.file_size > RATIO * max(entry.compress_size, 1):
        raise DiscoError(f"{path}: {member} would swell to {entry.file_size} bytes; take an archive you trust.")
    return archive.open(entry)


def _record(line: bytes) -> Record:
    record = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError(f"a line holds {type(record).__name__}, an object is needed")
    return record
