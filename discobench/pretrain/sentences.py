"""Where sentences end among tokens, whatever a vocabulary joins with a mark or cuts one into."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobench.errors import DiscoError

Array = NDArray[np.int64]
MARKS, CLOSERS = "。！？!?.…", "\"'”’」』）)"


def _one(characters: str) -> bytes:
    return b"(?:" + b"|".join(re.escape(c.encode()) for c in characters) + b")"


END = re.compile(_one(MARKS) + _one(MARKS + CLOSERS) + b"*")


class Sentences:
    """The ends of sentences for one tokenizer, found in the bytes of its tokens.

    SentencePiece writes ``.`` at the beginning of a text otherwise than after a word, byte-level BPE has tokens like
    ``."`` and others with a part of ``”``: no list of tokens would do.
    """

    def __init__(self, tokenizer: Any, ordinary: Array) -> None:
        """Raises DiscoError where none of the ``ordinary`` tokens is a mark."""
        self.spelt = spelling(tokenizer)
        self.sizes = np.array([len(token) for token in self.spelt], np.int64)
        if not any(END.fullmatch(self.spelt[token].strip()) for token in ordinary.tolist()):
            raise DiscoError(
                f"the tokenizer of {tokenizer.name_or_path} has no token that ends a sentence, one of {MARKS}, so that "
                "no sentences can be moved; choose another base for the checkpoint."
            )

    def cuts(self, ids: Array) -> Array:
        """Where new sentences begin in ``ids``: after marks and what closes behind them, between two tokens."""
        text = b"".join([self.spelt[token] for token in ids.tolist()])
        found = [match.end() for match in END.finditer(text)]
        return np.flatnonzero(np.isin(np.cumsum(self.sizes[ids])[:-1], found)) + 1


def spelling(tokenizer: Any) -> list[bytes]:
    """What each token stands for in a text, by id: UTF-8, of which byte-level tokens may have parts of characters."""
    names: dict[str, int] = tokenizer.get_vocab()
    decoder = tokenizer.backend_tokenizer.decoder
    table = _table() if decoder is not None and decoder.decode(["Ġ"]) == " " else {}
    found = [b""] * (max(names.values()) + 1)
    for name, token in names.items():
        whole = name.replace("▁", " ").removeprefix("##").encode()
        found[token] = b"".join([table.get(c) or c.encode() for c in name]) if table else whole
    return found


def _table() -> dict[str, bytes]:
    """The bytes that byte-level BPE writes as characters."""
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    return {character: bytes([byte]) for byte, character in bytes_to_unicode().items()}
