"""Texts back into an archive that withholds them, from a copy of the sources of one's own."""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.operations.release import withheld

Record = Mapping[str, Any]
RATIO = 200
"""A member may be so many times as large as it is packed; checksums hardly shrink."""
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
    """The records of one member of an archive; raises DiscoError for what is no archive of `release_tasks`."""
    try:
        with zipfile.ZipFile(path) as archive:
            entry = archive.getinfo(member)
            if entry.file_size > RATIO * max(entry.compress_size, 1):
                raise DiscoError(f"{path}: {member} would swell to {entry.file_size} bytes; take an archive you trust.")
            with archive.open(entry) as stream:
                yield from map(json.loads, stream)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise DiscoError(
            f"{path} does not hold {member} as `release_tasks` packs it ({error}); name another."
        ) from error
