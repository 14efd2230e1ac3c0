"""n-grams of test sets, and where documents have them: characters (zh) or words (en), without case and marks.

Hashes are polynomials over mixed tokens modulo 2^64, differences of prefix sums, so their cost does
not depend on n. With 10^11 n-grams of a corpus and 10^7 of test sets, 0.05 false hits are to be expected.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobench.corpus.codes import Codes, codes, looked_up, tabulated
from discobench.corpus.hashes import Hashes, mixed, rising
from discobench.corpus.texts import script_share
from discobench.sieve import Record

NOT_TEXT = frozenset({"id", "source", "work_id", "language", "split", "document_id", "tree_ids"})
BASE = np.uint64(0x9E3779B97F4A7C15)
INVERSE = np.uint64(pow(int(BASE), -1, 1 << 64))
APOSTROPHES = np.array([ord("'"), ord("’")], np.uint32)
OWN_SCRIPT = 0.5
"""Least share of letters in a language's script that makes a text one in the language."""

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tokens:
    """``values`` uint64 [t] of tokens and the code points [start, end) that each takes."""

    values: Hashes
    starts: Places
    ends: Places


@cache
def comparable() -> NDArray[np.uint32]:
    """What each letter or digit is compared as (full-width and capital as plain); 0 for other characters."""
    return tabulated(_plain, np.uint32)


def _plain(character: str) -> int:
    if not character.isalnum():
        return 0
    plain = unicodedata.normalize("NFKC", character).casefold()
    return ord(plain) if len(plain) == 1 else ord(character)


def tokens(found: Codes, language: str) -> Tokens:
    """Letters and digits one by one (zh), or words (en), in which apostrophes do not count."""
    plain = looked_up(comparable(), found.points)
    places = np.flatnonzero(plain)
    letters = plain[places].astype(np.uint64)
    if language == "zh":
        return Tokens(mixed(letters), places, places + 1)
    first = np.flatnonzero(_begins(found, places))
    after = np.append(first, len(places))[1:]
    return Tokens(mixed(_polynomials(letters, first, after)), places[first], places[after - 1] + 1)


def _begins(found: Codes, places: Places) -> NDArray[np.bool_]:
    """Which letters begin a word: those not right after another, nor after an apostrophe that joins them."""
    gaps = np.diff(places, prepend=-9)
    begins: NDArray[np.bool_] = gaps != 1
    apart = np.flatnonzero(gaps == 2)
    begins[apart] = ~np.isin(found.points[places[apart] - 1], APOSTROPHES)
    starts = found.before(places)
    begins[starts[starts < len(places)]] = True
    return begins


def _polynomials(values: Hashes, starts: Places, ends: Places) -> Hashes:
    """For each range the sum of ``values[start + k] * INVERSE ** k``, wherever it starts."""
    powers, inverses = _powers(len(values))
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values * inverses)])
    found: Hashes = (sums[ends] - sums[starts]) * powers[starts]
    return found


def _powers(count: int) -> tuple[Hashes, Hashes]:
    size = 1 << max(count - 1, 0).bit_length()
    powers, inverses = _powers_up_to(size)
    return powers[:count], inverses[:count]


@cache
def _powers_up_to(size: int) -> tuple[Hashes, Hashes]:
    powers, inverses = (np.full(size, number, np.uint64) for number in (BASE, INVERSE))
    powers[0] = inverses[0] = 1
    return np.cumprod(powers), np.cumprod(inverses)


def ngrams(values: Hashes, n: int) -> Hashes:
    """Hashes of the ``len(values) - n + 1`` n-grams of tokens."""
    starts = np.arange(max(len(values) - n + 1, 0))
    return _polynomials(values, starts, starts + n)


def texts(value: Any) -> Iterator[str]:
    """All strings in a task's record, whatever its fields, but ids and the like."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for key, item in value.items() if key not in NOT_TEXT for text in texts(item))
    elif isinstance(value, list | tuple):
        yield from (text for item in value for text in texts(item))


def of_test_set(task: str, records: Iterable[Record], language: str, n: int) -> Iterator[dict[str, Any]]:
    """Rows of schema ``ngrams``, one per instance, with its distinct n-grams; only texts in ``language`` count."""
    for record in records:
        own = [text for text in texts(record) if script_share(text, language) >= OWN_SCRIPT]
        hashes = rising(within(codes(own), language, n)).view(np.int64)
        yield {"task": task, "instance": str(record["id"]), "n": n, "hashes": hashes}


def within(found: Codes, language: str, n: int) -> Hashes:
    """Hashes of the n-grams that lie within one text."""
    words = tokens(found, language)
    hashes = ngrams(words.values, n)
    number = found.text_at(words.starts)
    inside: Hashes = hashes[number[: len(hashes)] == number[n - 1 :]]
    return inside
