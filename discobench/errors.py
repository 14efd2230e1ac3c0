"""Errors that a person can act on."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FULL = {errno.ENOSPC: "make room on that disk", errno.EDQUOT: "free some of your quota there"}
UNWRITABLE = FULL | {
    errno.EROFS: "make it writable or work in another folder",
    errno.EACCES: "get the right to write there or work in another folder",
    errno.EPERM: "get the right to write there or work in another folder",
    errno.EFBIG: "raise the limit on the size of a file (ulimit -f)",
    errno.ENOTDIR: "remove the file that stands in the way",
    errno.EISDIR: "remove the folder that stands in the way",
    errno.EEXIST: "remove the file that stands in the way",
    errno.ENAMETOOLONG: "use shorter names",
}
"""What stands in the way of writing a file, and what to do."""
LITTLE = 64 << 10
"""Bytes: a disk with less room is full."""


class DiscoError(Exception):
    """One sentence: what was found where, what is allowed, and what to do.

    Scripts print it without a traceback; anything else is a fault of this project.
    """


class FinalError(DiscoError):
    """One that every other try would meet too, until a person has changed something: nobody tries again."""


def unwritten(path: Path, error: OSError, what: str = "written") -> DiscoError:
    """The error for a file that cannot be written, or opened."""
    remedy = UNWRITABLE.get(error.errno or 0, "mend that")
    return DiscoError(
        f"{path} cannot be {what} ({os.strerror(error.errno or 0)}); {remedy} and give the same command again."
    )


def full_disk(path: Path) -> DiscoError | None:
    """The error for a disk without room below ``path``: libraries have words of their own for it."""
    there = next((folder for folder in (path, *path.absolute().parents) if folder.exists()), Path("/"))
    if shutil.disk_usage(there).free >= LITTLE:
        return None
    return DiscoError(f"the disk of {path} is full; {FULL[errno.ENOSPC]} and give the same command again.")


@contextmanager
def about(what: str) -> Iterator[None]:
    """Errors from inside say what they are about: for jobs that do several things."""
    try:
        yield
    except DiscoError as error:
        raise type(error)(f"{what}: {error}") from error
    except Exception as error:
        error.add_note(f"This was about {what}.")
        raise
