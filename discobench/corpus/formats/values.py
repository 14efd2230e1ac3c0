"""JSON files: an array of records, one object, or objects one after the other, read value by value."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any

from discobench.corpus.formats.base import WHOLE, Blob, Manner, Raw, Refused, at_byte
from discobench.corpus.formats.lines import BLOCK
from discobench.corpus.formats.records import documents_of, whole

BLANK = re.compile(r"[ \t\r\n,]*")


def read_json(blob: Blob, manner: Manner) -> Iterator[Raw]:
    """The documents of each value; of an array at the top, of each of its values."""
    with blob.stream(0) as stream:
        for value, start, end in _Scanner(stream).values():
            yield from whole(documents_of(value, manner, at_byte(start), start, end))


class _Scanner:
    """Values of a stream with their bytes, no more of it in memory than the value at hand takes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream, self.text, self.at, self.byte, self.end = stream, "", 0, 0, False
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.more()
        if self.text.startswith("\ufeff"):
            self.skip(1)

    def more(self) -> None:
        """Read ahead, twice as far each time."""
        block = self.stream.read(max(BLOCK, len(self.text)))
        self.end = not block
        try:
            self.text = self.text[self.at :] + self.decoder.decode(block, final=self.end)
        except UnicodeDecodeError as error:
            raise Refused("undecodable") from error
        self.at = 0

    def skip(self, size: int) -> int:
        """Pass some characters; the byte where they end."""
        self.byte += len(self.text[self.at : self.at + size].encode("utf-8", "surrogatepass"))
        self.at += size
        return self.byte

    def values(self) -> Iterator[tuple[Any, int, int]]:
        """Each value and its bytes; raises Refused where there is none."""
        within = self.peek() == "["
        if within:
            self.skip(1)
        while self.peek() not in ("", "]" if within else ""):
            start = self.byte
            value, length = self.value()
            yield value, start, self.skip(length)
        if within:
            closed = self.peek()
            self.skip(1)
            if not closed or self.peek():
                raise Refused("not JSON")

    def peek(self) -> str:
        """The next character that is neither blank nor comma, or nothing."""
        while True:
            blank = BLANK.match(self.text, self.at)
            self.skip(blank.end() - self.at if blank else 0)
            if self.at < len(self.text) or self.end:
                return self.text[self.at : self.at + 1]
            self.more()

    def value(self) -> tuple[Any, int]:
        """The value here and its length in characters."""
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self.text, self.at)
            except (ValueError, RecursionError) as error:
                if self.end or isinstance(error, RecursionError):
                    raise Refused("not JSON") from error
            else:
                if self.end or end < len(self.text):
                    return value, end - self.at
            if len(self.text) - self.at > WHOLE:
                raise Refused("too large")
            self.more()
