"""Reading and writing files so that an output appears whole or not at all.

Every writer goes through a temporary name, ``fsync`` and a rename. Text is UTF-8 with ``\\n``
as its only line separator: U+2028, U+0085 and the like are characters of a line, never its end.
"""

import glob
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from discobench.errors import UNWRITABLE, DiscoError, unwritten

BLOCK = 1 << 20
LONGEST = 200
"""Characters of a temporary name: what a file system allows, less what ``tempfile`` adds."""
ADDED = 8
"""Characters that ``tempfile`` adds."""
MARK = "\ufeff"
"""The byte order mark that some editors put before a text."""
T = TypeVar("T")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that takes its name once the block succeeds.

    Raises DiscoError when ``path`` cannot be written there.
    """
    name = _name_beside(path)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        if error.errno not in UNWRITABLE or error.filename not in (None, name):
            raise
        raise unwritten(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


def clear_unfinished(path: Path) -> None:
    """Remove what writers of ``path`` that were killed left beside it; for those who know that none is at work."""
    for left in path.parent.glob(glob.escape(_prefix(path)) + "?" * ADDED):
        left.unlink(missing_ok=True)


def _prefix(path: Path) -> str:
    return f".{path.name}."[:LONGEST]


def _name_beside(path: Path) -> str:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=_prefix(path))
    except OSError as error:
        raise unwritten(path, error) from error
    os.close(handle)
    return name


def check_writable(folder: Path) -> None:
    """Raise DiscoError unless files can be made in ``folder``, or in what would hold it."""
    there = next(place for place in (folder, *folder.absolute().parents) if os.path.lexists(place))
    try:
        with tempfile.TemporaryFile(dir=there):
            return
    except OSError as error:
        raise unwritten(there, error) from error


def open_text(path: Path, mode: str = "r") -> IO[str]:
    """Open UTF-8 text whose lines end with ``\\n`` only."""
    return path.open(mode, encoding="utf-8", newline="\n")


def write_text(path: Path, text: str) -> None:
    """Write ``text`` whole."""
    with whole(path) as temporary, open_text(temporary, "w") as stream:
        stream.write(text)


def read_text(path: Path) -> str:
    """Read a whole UTF-8 file; raises DiscoError naming the file when it is absent or not UTF-8."""
    return _read(path, lambda stream: stream.read())


def write_json(path: Path, value: Any) -> None:
    """Write JSON with sorted keys, so that the same value gives the same bytes."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n")


def read_json(path: Path) -> Any:
    """Read one JSON value; raises DiscoError naming the file and the position of a fault."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise DiscoError(f"{path} is not JSON: {error}; mend it or delete it.") from error


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object a line, in the order given."""
    with whole(path) as temporary, open_text(temporary, "w") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n")


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read JSON Lines, a byte order mark aside; raises DiscoError naming the file and the line of a fault."""
    return [row for _, row in numbered_jsonl(path)]


def numbered_jsonl(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The same with the number of each line, from 1, for messages about what is in it."""
    return _read(path, lambda stream: [(n, _object(path, n, line)) for n, line in _lines(stream)])


def _lines(stream: IO[str]) -> Iterator[tuple[int, str]]:
    return ((n, line) for n, line in enumerate(stream, start=1) if line.strip())


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line.removeprefix(MARK if number == 1 else ""), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise DiscoError(f"{path}, line {number} is not JSON: {error}; mend the line.") from error
    if not isinstance(value, dict):
        raise DiscoError(f"{path}, line {number} holds {type(value).__name__}; an object is needed.")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"an object has the key {next(k for k in keys if keys.count(k) > 1)!r} twice")
    return found


def _read(path: Path, reader: Callable[[IO[str]], T]) -> T:
    try:
        with open_text(path) as stream:
            return reader(stream)
    except FileNotFoundError as error:
        raise DiscoError(f"{path} does not exist; check the path or make the file.") from error
    except UnicodeDecodeError as error:
        raise DiscoError(f"{path} is not UTF-8 {_undecodable(path)}; convert it to UTF-8.") from error
    except OSError as error:
        raise DiscoError(f"{path} cannot be read ({error.strerror}); a file that you may read is needed.") from error


def _undecodable(path: Path) -> str:
    """Where the first byte is that no UTF-8 has; a stream knows it only within its buffer."""
    before = 0
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return f"at byte {before + error.start} (line {number})"
            before += len(line)
    return "or changed while it was read"


def sha256(path: Path) -> str:
    """Hex digest of a file's bytes."""
    digest = hashlib.sha256()
    for block in blocks(path):
        digest.update(block)
    return digest.hexdigest()


def blocks(path: Path) -> Iterator[bytes]:
    """A file's bytes, piece by piece."""
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            yield block


def fingerprint(value: Any) -> str:
    """Short digest (16 hex digits) of a JSON value, independent of the order of keys."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
