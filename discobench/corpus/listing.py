"""Which files a genre has: those in its folder, those that globs choose, or those that a manifest names."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from discobench.errors import DiscoError
from discobench.files import open_text

FACTS = ("title", "author", "work")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a genre's files lie and how they are read; ``key`` is its name in the configuration.

    ``files`` are globs that choose among them (``*`` stands for folders too, ``!`` in front excludes).
    ``manifest`` is a file that names them: a path inside the folder on each line, or a JSON object that
    has ``path`` and may have ``title``, ``author`` and ``work``.
    """

    key: str
    path: str
    document: str
    language: str
    files: Sequence[str] = ()
    manifest: str | None = None
    format: str | None = None


def fingerprint_of(place: Place) -> list[tuple[str, int]]:
    """Paths and sizes of the files as they are now; empty where there are none."""
    if not Path(place.path).is_dir() or (place.manifest and not Path(place.manifest).is_file()):
        return []
    return [(path, (Path(place.path) / path).stat().st_size) for path in listed(place)]


def listed(place: Place) -> dict[str, Mapping[str, str]]:
    """Paths inside the folder, sorted, with the facts that a manifest gives."""
    found: dict[str, Mapping[str, str]]
    if place.manifest:
        found = dict(_manifest(Path(place.manifest), place))
    else:
        found = {path: {} for path in _walk(Path(place.path), place.key)}
    return {path: found[path] for path in _matching(sorted(found), place.files, place.key)}


def _walk(folder: Path, key: str) -> Iterator[str]:
    """Every file below a folder but hidden ones; links to folders are followed once."""
    seen = set()

    def refused(error: OSError) -> None:
        raise DiscoError(f"{key}.path: {error.filename!r} cannot be read ({error.strerror}); mend its permissions.")

    for here, folders, names in os.walk(folder, followlinks=True, onerror=refused):
        status = Path(here).stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            path = Path(here) / name
            if not path.exists():
                raise DiscoError(f"{key}.path: {str(path)!r} is a link to nothing; mend or remove it.")
            if not name.startswith(".") and path.is_file():
                yield path.relative_to(folder).as_posix()


def _matching(paths: Sequence[str], globs: Sequence[str], key: str) -> list[str]:
    wanted = [glob for glob in globs if not glob.startswith("!")]
    unwanted = [glob[1:] for glob in globs if glob.startswith("!")]
    for glob in wanted:
        if paths and not any(fnmatchcase(path, glob) for path in paths):
            raise DiscoError(f"{key}.files: nothing matches {glob!r}; mend the glob or take it out.")
    chosen = (path for path in paths if not wanted or any(fnmatchcase(path, glob) for glob in wanted))
    return [path for path in chosen if not any(fnmatchcase(path, glob) for glob in unwanted)]


def _manifest(manifest: Path, place: Place) -> Iterator[tuple[str, Mapping[str, str]]]:
    try:
        with open_text(manifest) as stream:
            text = (line.strip().removeprefix("\ufeff") for line in stream)
            lines = [(n, line) for n, line in enumerate(text, start=1) if line]
    except (OSError, UnicodeDecodeError) as error:
        raise DiscoError(f"{place.key}.manifest: {manifest} cannot be read ({error}); name a UTF-8 file.") from error
    for number, line in lines:
        entry = _entry(line)
        path = entry.get("path")
        if not isinstance(path, str):
            raise DiscoError(f"{manifest}, line {number}: found {line!r}, but a path or an object with one is needed.")
        path = PurePosixPath(path).as_posix()
        if path.startswith("/") or ".." in path.split("/"):
            raise DiscoError(f"{manifest}, line {number}: {path!r} leads out of {place.path}; name a file inside it.")
        if not (Path(place.path) / path).is_file():
            raise DiscoError(f"{manifest}, line {number}: no file {path!r} in {place.path}; mend the line.")
        yield path, {name: str(entry[name]) for name in FACTS if entry.get(name) is not None}


def _entry(line: str) -> Mapping[str, Any]:
    try:
        return dict(json.loads(line)) if line.startswith("{") else {"path": line}
    except ValueError:
        return {}
