"""Small steps between lists of token ids and padded tensors."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from discobench.batching import sorted_batches
from discobench.errors import DiscoError
from discobench.progress import told

T = TypeVar("T")
R = TypeVar("R")
IGNORED = -100
"""Label that the cross entropy leaves out."""


def padded(rows: Sequence[Sequence[int]], value: int, device: torch.device, left: bool = False) -> Tensor:
    """Rows of unequal length as one int64 tensor [rows, longest], filled with ``value``."""
    width = max(map(len, rows))
    filled = [
        [value] * (width - len(row)) + list(row) if left else [*row, *[value] * (width - len(row))] for row in rows
    ]
    return torch.tensor(filled, dtype=torch.long, device=device)


def mask_of(rows: Sequence[Sequence[int]], device: torch.device, left: bool = False) -> Tensor:
    """1 where ``padded`` puts a token of a row, 0 where it fills."""
    return padded([[1] * len(row) for row in rows], 0, device, left)


def device_of(model: nn.Module) -> torch.device:
    """Where the parameters of ``model`` are."""
    return next(model.parameters()).device


def window_starts(length: int, size: int) -> list[int]:
    """Starts of windows of ``size`` that cover ``length`` with a stride of half a window."""
    last = max(length - size, 0)
    return [*range(0, last, max(size // 2, 1)), last]


@contextmanager
def drawn(seed: int) -> Iterator[None]:
    """Initialise parameters from ``seed`` and leave the global generator as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


@contextmanager
def quiet(model: nn.Module) -> Iterator[None]:
    """No gradient and no dropout; the mode of training comes back afterwards."""
    training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(training)


def in_batches(
    items: Sequence[T], lengths: Sequence[int], batch_tokens: int, function: Callable[[list[T]], Sequence[R]]
) -> list[R]:
    """``function`` over batches of similar length; results in the order of ``items``."""
    results: dict[int, R] = {}
    for batch in told(sorted_batches(lengths, batch_tokens), "batches", "items", len(items), len):
        results.update(zip(batch, function([items[i] for i in batch]), strict=True))
    return [results[i] for i in range(len(items))]


class Characters:
    """A vocabulary looked up one code point at a time, so that positions are offsets.

    A code point is looked up as it is, in lower case, in compatibility form (NFKC), and in the
    byte-level spelling of BPE; a code point that is no single token becomes the unknown token.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.vocabulary: dict[str, int] = tokenizer.get_vocab()
        if tokenizer.unk_token_id is None:
            raise DiscoError("the tokenizer has no unknown token; span and gaps need one: choose another checkpoint.")
        self.unknown: int = tokenizer.unk_token_id
        self._id = cache(self._look_up)

    def ids(self, text: str) -> list[int]:
        """One id per code point of ``text``."""
        return [self._id(character) for character in text]

    def _look_up(self, character: str) -> int:
        plain = unicodedata.normalize("NFKC", character)
        for form in (character, character.lower(), plain, plain.lower(), _byte_level(character)):
            if form in self.vocabulary:
                return self.vocabulary[form]
        return self.unknown


@cache
def _byte_names() -> list[str]:
    """GPT-2's printable name of each byte: itself, or the next free code point from 256 on."""
    shown = {*range(33, 127), *range(161, 173), *range(174, 256)}
    free = iter(range(256, 512))
    return [chr(byte) if byte in shown else chr(next(free)) for byte in range(256)]


def _byte_level(character: str) -> str:
    return "".join(_byte_names()[byte] for byte in character.encode("utf-8", "surrogatepass"))
