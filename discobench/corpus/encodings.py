"""Bytes of unknown encoding to text, without losing or inventing a character."""

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

import cchardet

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as the next one does
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
)
WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
"""Which halves are zero does not tell them apart: a line end's upper one is, and the lower one of U+4E00 (one)."""
LEGACY = {"zh": ("gb18030", "big5", "cp950", "big5hkscs"), "en": ("cp1252",)}
UTF8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
NOT_ASCII = re.compile(rb"[\x80-\xff]+")
UNLIKELY = re.compile("[\0\ue000-\uf8ff]")
"""Zero bytes, and private use: a wrong reading of Big5 has some, a right one of GB18030 few."""
DAMAGED = 0.8
"""A third of the bytes of GB18030 that are not ASCII look like UTF-8; in a damaged UTF-8 file nearly all do."""
DETECTED = {"GB18030": "gb18030", "GB2312": "gb18030", "GBK": "gb18030", "BIG5": "big5", "WINDOWS-1252": "cp1252"}
SAMPLE = 200_000
ASCII = bytes(range(1, 128))

COMMON = {
    "zh": frozenset(
        "的一是不了在人有我他这個个们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于，。"
    ),
    "en": frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ,.\"'“”‘’—–…éèêàâçôöüñ£"),
}
"""Characters that make up much of any text in the language: what tells GB18030 from Big5."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text; encoding it again gives the bytes from ``start`` on."""

    text: str
    encoding: str
    start: int = 0


def decode(data: bytes, language: str) -> Decoded | None:
    """The text of a file of a zh or en genre, or None when no encoding fits without loss.

    A byte order mark decides, then UTF-8; a damaged UTF-8 text is not taken for another encoding, which
    would make nonsense of it. Of the other encodings that give back the same bytes (UTF-16 and UTF-32 only
    where there are zero bytes), the one with the most common characters wins; cchardet's guess breaks ties.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _lossless(data, encoding, len(mark))
    plain = _lossless(data, "utf-8")
    zeros = b"\0" in data
    if (plain and not zeros) or (not plain and damaged(data)):
        return plain
    older = [_lossless(data, encoding) for encoding in [*(WIDE if zeros else ()), *_legacy(data, language)]]
    return max(filter(None, [plain, *older]), key=lambda found: _common(found, language), default=None)


def damaged(data: bytes) -> bool:
    """Whether what is not ASCII in ``data`` is nearly all UTF-8."""
    data = data[: 10 * SAMPLE]
    return sum(map(len, UTF8.findall(data))) > DAMAGED * sum(map(len, NOT_ASCII.findall(data)))


def _legacy(data: bytes, language: str) -> list[str]:
    guess = DETECTED.get(str(cchardet.detect(data[:SAMPLE])["encoding"]).upper())
    return list(dict.fromkeys([*([guess] if guess else []), *LEGACY[language]]))


def _common(decoded: Decoded, language: str) -> int:
    sample = decoded.text[:SAMPLE]
    return sum(character in COMMON[language] for character in sample) - len(UNLIKELY.findall(sample))


def _lossless(data: bytes, encoding: str, start: int = 0) -> Decoded | None:
    try:
        text = data[start:].decode(encoding)
    except UnicodeDecodeError:
        return None
    lossless = encoding == "utf-8" or text.encode(encoding) == data[start:]  # UTF-8 has one spelling for a character
    return Decoded(text, encoding, start) if lossless else None


def detect(blocks: Iterable[bytes], language: str) -> tuple[str, int] | None:
    """Encoding and bytes of its mark of a text too large to be held, or None; ``blocks`` are read once or more.

    Every byte is decoded, but for a damaged UTF-8 text; whether decoding is without loss is left to who
    reads the lines. Candidates are weighed on a sample that starts with the first byte that is not ASCII.
    """
    head = next(iter(blocks), b"")
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return (encoding, len(mark)) if encoding == "utf-8" or _decodable(blocks, encoding) else None
    sample = _sample(blocks)
    if b"\0" not in sample and (damaged(sample) or _decodable(blocks, "utf-8")):
        return "utf-8", 0
    names = ["utf-8", *(WIDE if b"\0" in sample else ()), *_legacy(sample, language)]
    weighed = sorted(names, key=lambda name: -_common(Decoded(_loosely(sample, name), name), language))
    return next(((name, 0) for name in weighed if _decodable(blocks, name)), None)


def _sample(blocks: Iterable[bytes]) -> bytes:
    """Bytes from the first one on that is zero or not ASCII, or up to three before, for characters of four bytes."""
    kept = b""
    for block in blocks:
        left = block.lstrip(ASCII)
        if kept or left:
            kept += block if kept else block[len(block) - len(left) & ~3 :]
        if len(kept) >= SAMPLE:
            break
    return kept[:SAMPLE]


def _loosely(sample: bytes, encoding: str) -> str:
    """As much of a sample as decodes; its last character may be cut."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError as error:
        return sample[: error.start].decode(encoding)


def _decodable(blocks: Iterable[bytes], encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for block in blocks:
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
