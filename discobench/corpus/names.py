"""What a file's name says: how it is compressed, whether it is an archive, which format it has."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

COMPRESSED = (".gz", ".zst", ".xz", ".bz2")
SHORT = {".tgz": ".tar.gz", ".tbz2": ".tar.bz2", ".txz": ".tar.xz", ".tzst": ".tar.zst"}
ARCHIVES = (".zip", ".tar")


@dataclass(frozen=True, slots=True)
class Name:
    """A file's name taken apart; ``suffix`` is that of the format, ``compression`` what is around it."""

    stem: str
    suffix: str
    compression: str = ""

    @property
    def archive(self) -> bool:
        """Whether there are files inside."""
        return self.suffix in ARCHIVES


@lru_cache(1024)
def taken_apart(name: str) -> Name:
    """``a/b.txt.gz`` is stem ``a/b``, suffix ``.txt``, compression ``.gz``; suffixes are in lower case."""
    lower = name.lower()
    compression = next((suffix for suffix in COMPRESSED if lower.endswith(suffix)), "")
    short = next((suffix for suffix in SHORT if lower.endswith(suffix)), "")
    if short:
        compression = SHORT[short].removeprefix(".tar")
        return Name(name[: -len(short)], ".tar", compression)
    inner = name[: len(name) - len(compression)]
    suffix = PurePosixPath(inner).suffix
    return Name(inner.removesuffix(suffix), suffix.lower(), compression)
