"""Token ids of a batch of texts, and the character at which each token ends.

Three ways, the first that fits: a table of characters (BERT's tokenizers), lengths of bytes (byte-level
BPE), and the tokenizer's own offsets (any). All give the tokenizer's ids; what looks like a special
token in a text is text.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Protocol
from unicodedata import category

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from discobench.corpus.codes import LIMIT, Codes
from discobench.errors import DiscoError

Places = NDArray[np.int64]
Run = tuple[list[int], list[int]]
"""Ids of a run of characters, and where each ends, counted from the run's start."""

BLANK, OTHER, UNSEEN = -1, -2, -3
PROBE = "a"
DECISIVE = ("model", "normalizer", "pre_tokenizer", "added_tokens")
"""What of a tokenizer decides on the ids of a text, special tokens aside."""
CACHED = 8_000_000
"""Characters of words whose tokens are remembered, each word with ENTRY more: some 300 MB."""
ENTRY = 8


@dataclass(frozen=True, slots=True)
class Encoded:
    """``ids`` [t], ``ends`` [t] as places in the batch, and ``bounds`` [texts + 1] of each text's tokens."""

    ids: NDArray[np.int64]
    ends: Places
    bounds: Places


class Encoder(Protocol):
    """What all three are: texts are given twice, as they are and as ``codes`` with line ends between them."""

    def __call__(self, texts: Sequence[str], found: Codes) -> Encoded: ...


def load_tokenizer(folder: Path) -> Tokenizer:
    """The fast tokenizer of a checkpoint; raises DiscoError when the folder has none.

    ``tokenizer.json`` needs no torch; other forms are converted by transformers, which imports it.
    """
    if (folder / "tokenizer.json").is_file():
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    else:
        tokenizer = _converted(folder)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def _converted(folder: Path) -> Tokenizer:
    from transformers import AutoTokenizer

    try:
        loaded = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        tokenizer: Tokenizer = loaded.backend_tokenizer
    except (OSError, ValueError, AttributeError) as error:
        raise DiscoError(f"{folder} has no tokenizer that can be loaded; fetch the checkpoint again.") from error
    return tokenizer


def check_alike(one: Tokenizer, other: Tokenizer, name: str, like: str) -> None:
    """Raise DiscoError unless the two cut texts into the same ids; they are checkpoints ``name`` and ``like``."""
    parts = [[json.loads(tokenizer.to_str())[key] for key in DECISIVE] for tokenizer in (one, other)]
    odd = [key for key, ours, theirs in zip(DECISIVE, *parts, strict=True) if ours != theirs]
    if odd:
        raise DiscoError(
            f"checkpoints.{name}.tokenizer: found {like}, whose tokenizer is another one ({', '.join(odd)} differ); "
            "name a checkpoint with the same tokenizer, or null to pack for this one alone."
        )


def encoder(tokenizer: Tokenizer) -> Encoder:
    """The fastest way that gives this tokenizer's ids."""
    parts = [type(part).__name__ for part in (tokenizer.normalizer, tokenizer.pre_tokenizer, tokenizer.model)]
    if any(not token.special for token in tokenizer.get_added_tokens_decoder().values()):
        return Offsets(tokenizer)
    if parts == ["BertNormalizer", "BertPreTokenizer", "WordPiece"]:
        return CharacterTable(tokenizer)
    if parts == ["NoneType", "ByteLevel", "BPE"] and _splits_as_gpt2(tokenizer):
        return ByteLengths(tokenizer)
    return Offsets(tokenizer)


def _splits_as_gpt2(tokenizer: Tokenizer) -> bool:
    splitter, model = tokenizer.pre_tokenizer, tokenizer.model
    return splitter.use_regex and not splitter.add_prefix_space and not model.dropout and not model.ignore_merges


class Offsets:
    """Any tokenizer, by the offsets that it gives."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer

    def __call__(self, texts: Sequence[str], found: Codes) -> Encoded:
        encodings = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        ids, bounds = _joined([encoding.ids for encoding in encodings])
        ends = np.fromiter((end for encoding in encodings for _, end in encoding.offsets), np.int64, len(ids))
        return Encoded(ids, ends + np.repeat(found.bounds[:-1], np.diff(bounds)), bounds)


class ByteLengths:
    """Byte-level BPE: a token spells as many bytes as its name has characters.

    Texts in Latin letters are split into words as the tokenizer would, and each word is asked for once.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer, self.any = tokenizer, Offsets(tokenizer)
        self.words: dict[str, list[int]] = {}
        self.size = 0
        self.lengths = np.zeros(tokenizer.get_vocab_size(), np.int64)
        for token, number in tokenizer.get_vocab(with_added_tokens=False).items():
            self.lengths[number] = len(token)

    def __call__(self, texts: Sequence[str], found: Codes) -> Encoded:
        ids, bounds = _joined([self._ids(text) for text in texts])
        spelt = np.frombuffer("".join(texts).encode("utf-8"), np.uint8)
        ends = np.cumsum(self.lengths[ids])
        if (ends[-1] if len(ends) else 0) != len(spelt):
            return self.any(texts, found)  # bytes that the vocabulary lacks
        begun = np.concatenate([[0], np.cumsum((spelt & 0xC0) != 0x80)])
        between = np.repeat(np.arange(len(texts)), np.diff(bounds))
        return Encoded(ids, begun[ends] + between, bounds)

    def _ids(self, text: str) -> list[int]:
        words, odd = gpt2_words()
        if odd.search(text):
            return self._encoded([text])[0]
        found = words.findall(text)
        if self.size > CACHED:
            self.words.clear()
            self.size = 0
        fresh = [word for word in set(found) if word not in self.words]
        self.words |= zip(fresh, self._encoded(fresh), strict=True)
        self.size += weight(fresh)
        return list(chain.from_iterable(map(self.words.__getitem__, found)))

    def _encoded(self, texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


@cache
def gpt2_words() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How byte-level BPE splits texts (Radford et al. 2019), and what keeps a text from being split by it here.

    Up to U+2100 letters and numbers are old enough to be the same for everyone; blanks are so but for
    four control characters.
    """
    kinds = {kind: "".join(re.escape(chr(c)) for c in range(0x2100) if category(chr(c))[0] == kind) for kind in "LN"}
    letter, number, other = f"[{kinds['L']}]", f"[{kinds['N']}]", f"[^\\s{kinds['L']}{kinds['N']}]"
    words = f"'(?:s|t|re|ve|m|ll|d)| ?{letter}+| ?{number}+| ?{other}+|\\s+(?!\\S)|\\s+"
    return re.compile(words), re.compile("[\x1c-\x1f\u2100-\U0010ffff]")


class CharacterTable:
    """BERT's tokenizers: most characters are tokens whatever stands beside them.

    Normaliser, splitter and word pieces look at characters one by one; Han characters and marks always
    stand alone, blanks separate. Whether a character is such a one is asked of the tokenizer, once. Runs
    of other characters (Latin letters, digits, emoji, accents) are given to the tokenizer.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.table = np.full(LIMIT + 1, UNSEEN, np.int64)
        self.table[LIMIT] = OTHER
        self.runs: dict[str, Run] = {}
        self.size = 0

    def __call__(self, texts: Sequence[str], found: Codes) -> Encoded:
        kinds = self._kinds(np.minimum(found.points, LIMIT))
        places = np.flatnonzero(kinds >= 0)
        ids, starts, ends = kinds[places], places, places + 1
        edges = np.flatnonzero(np.diff(kinds == OTHER, prepend=False, append=False))
        if len(edges):
            runs = self._runs(found.points, edges[::2], edges[1::2])
            ids, starts, ends = (np.concatenate(pair) for pair in zip((ids, starts, ends), runs, strict=True))
            order = np.argsort(starts, kind="stable")
            ids, starts, ends = ids[order], starts[order], ends[order]
        return Encoded(ids, ends, found.before(starts))

    def _kinds(self, points: NDArray[np.uint32]) -> Places:
        kinds = self.table[points]
        unseen = np.unique(points[kinds == UNSEEN]).tolist()
        if unseen:
            self.table[unseen] = [self._kind(chr(point)) for point in unseen]
            kinds = self.table[points]
        return kinds

    def _kind(self, character: str) -> int:
        """The id of a character that stands alone, BLANK or OTHER."""
        probe, alone, within = (self._ids(text) for text in (PROBE, character, PROBE + character + PROBE))
        if within != probe + alone + probe or len(alone) > 1:
            return OTHER
        return alone[0] if alone else BLANK

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _runs(self, points: NDArray[np.uint32], starts: Places, ends: Places) -> tuple[Places, Places, Places]:
        """Ids, the start of its run, and end of each token of the runs."""
        text = points.tobytes().decode("utf-32-le")
        names = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        known = self._known(names)
        ids, bounds = _joined([known[name][0] for name in names])
        first = np.repeat(starts, np.diff(bounds))
        return ids, first, first + _joined([known[name][1] for name in names])[0]

    def _known(self, names: Sequence[str]) -> dict[str, Run]:
        if self.size > CACHED:
            self.runs.clear()
            self.size = 0
        fresh = list(dict.fromkeys(name for name in names if name not in self.runs))
        for name, encoding in zip(fresh, self.tokenizer.encode_batch(fresh, add_special_tokens=False), strict=True):
            self.runs[name] = (encoding.ids, [end for _, end in encoding.offsets])
        self.size += weight(fresh)
        return self.runs


def weight(words: Sequence[str]) -> int:
    """What remembering words counts for."""
    return sum(map(len, words)) + ENTRY * len(words)


def _joined(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], Places]:
    """Lists one after the other, and the bounds of each."""
    bounds = np.cumsum([0, *map(len, lists)])
    return np.fromiter(chain.from_iterable(lists), np.int64, int(bounds[-1])), bounds
