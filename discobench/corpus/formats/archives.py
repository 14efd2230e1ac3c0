"""Members of zip and tar archives, one level deep; nothing is ever written where a member's name says."""

import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from discobench.corpus.encodings import decode
from discobench.corpus.formats.base import WHOLE, Blob, Limits, Refused
from discobench.corpus.formats.blobs import Budget, plain

UTF8_NAME = 0x800
ENCRYPTED = 0x1
STORED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive, or why it is not read; ``packed`` is its size there, in bytes."""

    name: str
    packed: int
    blob: Blob | None = None
    reason: str | None = None


def zip_members(blob: Blob, packed: int, language: str, limits: Limits) -> Iterator[Member]:
    """Members in the order of the directory; raises Refused when it cannot be read."""
    budget = Budget(packed, limits)
    with blob.stream(0) as stream:
        try:
            archive = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise Refused("broken archive") from error
        with archive:
            for info in archive.infolist():
                if not info.is_dir() or info.file_size:
                    yield _zip_member(archive, info, _zip_name(info, language), budget)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget) -> Member:
    reason = _refusal(info, name, budget)
    blob = None if reason else Blob(lambda at: _opened(archive, info, at))
    return Member(name, info.compress_size, blob, reason)


def _refusal(info: zipfile.ZipInfo, name: str, budget: Budget) -> str | None:
    """Why a member is not read; zipfile reads no more of it than the size in its entry, so sizes are enough."""
    if reason := _unfit(name):
        return reason
    if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
        return "no regular file"
    if info.flag_bits & ENCRYPTED:
        return "encrypted"
    if info.compress_type not in STORED:
        return "unknown compression"
    try:
        budget.spend(info.file_size, info.compress_size)
    except Refused as error:
        return str(error)
    return None


def _opened(archive: zipfile.ZipFile, info: zipfile.ZipInfo, at: int) -> IO[bytes]:
    try:
        stream = archive.open(info)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError) as error:
        raise Refused("broken archive") from error
    stream.seek(at)
    return stream


def _zip_name(info: zipfile.ZipInfo, language: str) -> str:
    """Names without the flag for UTF-8 are in the encoding of whoever packed them."""
    if info.flag_bits & UTF8_NAME:
        return info.filename
    found = decode(info.orig_filename.encode("cp437"), language)
    return found.text.replace("\\", "/") if found else info.filename


def tar_members(blob: Blob, language: str) -> Iterator[Member]:
    """Members in the order in which they lie; a copy of the one at hand is kept while it is read."""
    with blob.stream(0) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for info in archive:
                    archive.members.clear()  # type: ignore[attr-defined]  # would grow by every member
                    if not info.isdir():
                        yield from _tar_member(archive, info, _tar_name(info, language))
        except (tarfile.TarError, ValueError, zlib.error) as error:
            raise Refused("broken archive") from error


def _tar_name(info: tarfile.TarInfo, language: str) -> str:
    found = decode(info.name.encode("utf-8", "surrogateescape"), language)
    return found.text if found else info.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo, name: str) -> Iterator[Member]:
    """Holes may be of any size, whatever the archive's: a file that has some is not unpacked."""
    reason = _unfit(name) or (None if info.isreg() and not info.issparse() else "no regular file")
    if reason:
        yield Member(name, info.size, reason=reason)
        return
    member = archive.extractfile(info)
    assert member is not None  # it is a regular file
    if info.size <= WHOLE:
        data = member.read()
        yield Member(name, info.size, Blob(lambda at: BytesIO(data[at:])))
        return
    with tempfile.NamedTemporaryFile() as copy:
        shutil.copyfileobj(member, copy)
        copy.flush()
        yield Member(name, info.size, plain(Path(copy.name)))


def _unfit(name: str) -> str | None:
    """Why a member with such a name is not read; hidden ones are passed over in folders too."""
    path = PurePosixPath(name.replace("\\", "/"))
    if not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        return "unsafe path"
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
    return "hidden file" if hidden else None
