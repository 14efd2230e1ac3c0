"""Files as the bytes that they unpack to: compressed ones, none of which may swell without bound."""

import bz2
import gzip
import io
import lzma
import mmap
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from backports import zstd

from discobench.corpus.formats.base import Blob, Limits, Refused

FREE = 1 << 20
"""Bytes that anything may unpack to."""
LZMA_MEMORY = 256 << 20
BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError, zipfile.BadZipFile, tarfile.TarError)
OPENERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda stream: gzip.GzipFile(fileobj=stream),
    ".bz2": bz2.BZ2File,
    ".xz": lambda stream: _Unpacked(stream, lambda: lzma.LZMADecompressor(memlimit=LZMA_MEMORY), padding=b"\0"),
    ".zst": lambda stream: _Unpacked(stream, zstd.ZstdDecompressor),
}
PACKED = 1 << 16
"""Bytes that a decompressor gets at once."""
SKIPPABLE = range(0x184D2A50, 0x184D2A60)


def fault(error: Exception) -> str:
    """Why what is compressed is not read: it may be sound, yet need a window larger than a job may hold."""
    large = isinstance(error, lzma.LZMAError | zstd.ZstdError) and "memory" in str(error).lower()
    return "needs too much memory" if large else "broken archive"


class Budget:
    """How many bytes may still be unpacked from one file, all of its members together."""

    def __init__(self, packed: int, limits: Limits) -> None:
        self.limits = limits
        self.left = self._allowed(packed)

    def _allowed(self, packed: int) -> int:
        return min(self.limits.max_unpacked_bytes, self.limits.max_ratio * packed + FREE)

    def spend(self, size: int, packed: int | None = None) -> None:
        """Count bytes that were unpacked, or of a member of ``packed`` bytes will be; raises Refused for too many."""
        if size > self.left or (packed is not None and size > self._allowed(packed)):
            raise Refused("swells too much")
        self.left -= size


class Guarded(io.RawIOBase):
    """A stream of unpacked bytes on a budget."""

    def __init__(self, stream: Any, budget: Budget) -> None:
        self.stream, self.budget = stream, budget

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As RawIOBase; raises Refused when the budget is spent."""
        count: int = self.stream.readinto(buffer)
        self.budget.spend(count)
        return count

    def close(self) -> None:
        """Close the stream below too."""
        self.stream.close()
        super().close()


class _Unpacked(io.RawIOBase):
    """What a decompressor makes of a stream of one or more members, behind which there may be ``padding``."""

    def __init__(self, stream: IO[bytes], new: Callable[[], Any], padding: bytes = b"") -> None:
        self.stream, self.new, self.padding, self.decompressor = stream, new, padding, new()

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As RawIOBase; raises EOFError when the stream ends inside a member."""
        data = b""
        while not data:
            if self.decompressor.eof:
                following = self.decompressor.unused_data or self.stream.read(PACKED)
                if not following.strip(self.padding):
                    return 0
                self.decompressor = self.new()
                data = self.decompressor.decompress(following, len(buffer))
            else:
                packed = self.stream.read(PACKED) if self.decompressor.needs_input else b""
                if not packed and self.decompressor.needs_input:
                    raise EOFError("compressed stream ends early")
                data = self.decompressor.decompress(packed, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the stream below too."""
        self.stream.close()
        super().close()


def plain(path: Path, part: tuple[int, int | None] = (0, None), encoding: str | None = None) -> Blob:
    """A file as it is."""

    def opened(at: int) -> IO[bytes]:
        stream = path.open("rb")
        stream.seek(at)
        return stream

    return Blob(opened, part, encoding)


@contextmanager
def seekable(blob: Blob) -> Iterator[Blob]:
    """A blob whose streams can go back: itself, or a copy of what only unpacks from its start."""
    with blob.stream(0) as stream:
        if stream.seekable():
            yield blob
            return
        with tempfile.NamedTemporaryFile() as copy:
            shutil.copyfileobj(stream, copy)
            copy.flush()
            yield replace(blob, stream=plain(Path(copy.name)).stream)


def unpacked(blob: Blob, suffix: str, packed: int, limits: Limits) -> Blob:
    """What a blob of ``packed`` bytes holds that is compressed as ``suffix`` says."""

    def opened(at: int) -> IO[bytes]:
        raw = blob.stream(0)
        guarded = Guarded(OPENERS[suffix](raw), Budget(packed, limits))
        return _skipped(io.BufferedReader(guarded, 1 << 18), at)

    return Blob(opened, encoding=blob.encoding)


def zstd_part(path: Path, part: tuple[int, int], limits: Limits, encoding: str | None) -> Blob:
    """The frames of a file that start in a part of it, by the bytes that they unpack to."""
    frames = zstd_frames(path) or []
    size = path.stat().st_size

    def opened(at: int) -> IO[bytes]:
        packed, before = max(frame for frame in frames if frame[1] <= at)
        raw = path.open("rb")
        raw.seek(packed)
        guarded = Guarded(OPENERS[".zst"](raw), Budget(size, limits))
        return _skipped(io.BufferedReader(guarded, 1 << 18), at - before)

    starts = [min((u for c, u in frames if c >= edge), default=None) for edge in part]
    first = starts[0]
    return Blob(opened, (0, 0) if first is None else (first, starts[1]), encoding)


def zstd_frames(path: Path) -> list[tuple[int, int]] | None:
    """Where the frames of a file start, packed and unpacked; None where a frame does not say its size."""
    frames, packed, before = [], 0, 0
    if not path.stat().st_size:
        return None
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        view = memoryview(data)
        try:
            while packed < len(view):
                with view[packed:] as ahead:
                    length, size = _frame(ahead)
                if size is None:
                    return None
                if size:
                    frames.append((packed, before))
                packed, before = packed + length, before + size
        except (zstd.ZstdError, ValueError):
            return None
        finally:
            view.release()
    return frames


def _frame(ahead: memoryview) -> tuple[int, int | None]:
    """Packed length and unpacked size of the frame in front."""
    skippable = int.from_bytes(ahead[:4], "little") in SKIPPABLE
    return zstd.get_frame_size(ahead), 0 if skippable else zstd.get_frame_info(ahead).decompressed_size


def _skipped(stream: IO[bytes], size: int) -> IO[bytes]:
    while size:
        block = stream.read(min(size, FREE))
        if not block:
            break
        size -= len(block)
    return stream
