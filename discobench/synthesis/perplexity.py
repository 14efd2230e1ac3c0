"""Perplexity by KenLM n-gram models, cross-fitted: a work is never scored by a model that saw it.

One ``normalise`` serves training and scoring; a difference between the two shifts perplexities by
orders of magnitude.
"""

import hashlib
import logging
import math
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

from discobench.errors import DiscoError
from discobench.files import open_text, whole

PIECES = re.compile(r"n't\b|'(?:s|re|ve|ll|d|m)\b|[^\W\d_]+(?=n't\b)|[^\W\d_]+|\d+|[^\w\s]|_", re.IGNORECASE)
PLAIN = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
SPECIAL = re.compile(r"</?s>|<unk>", re.IGNORECASE)
END = frozenset(".!?")
CLOSERS = frozenset("\"')]")
REMEMBERED = 10_000
TOOLS = Path(__file__).parents[2] / ".tools/bin"


class Model(Protocol):
    """What scoring needs of ``kenlm.Model``."""

    def score(self, sentence: str, bos: bool = True, eos: bool = True) -> float:
        """log10 p(sentence), including </s> when ``eos``."""

    def __contains__(self, word: str) -> bool:
        """Whether the model has the word."""


class Measured(NamedTuple):
    """A text's perplexity, its tokens (every sentence's </s> is one), and how many the model does not have."""

    perplexity: float
    tokens: int
    unknown: int


def normalise(text: str) -> list[str]:
    """Sentences of lower-case tokens joined by blanks; lmplz's reserved words cannot come out of it.

    A sentence ends after ``.``, ``!`` or ``?`` and the closing marks that follow.
    """
    tokens = PIECES.findall(SPECIAL.sub(" ", text.translate(PLAIN)).lower())
    sentences: list[list[str]] = [[]]
    for token in tokens:
        ended = bool(sentences[-1]) and _ended(sentences[-1])
        if ended and token not in END and not _closes(token, sentences[-1]):
            sentences.append([])
        sentences[-1].append(token)
    return [" ".join(sentence) for sentence in sentences if sentence]


def _closes(token: str, sentence: Sequence[str]) -> bool:
    """Whether ``token`` still belongs to an ended sentence: straight quotes open and close in turn."""
    return token in CLOSERS and (token in ")]" or list(sentence).count(token) % 2 == 1)


def _ended(sentence: Sequence[str]) -> bool:
    return next((token in END for token in reversed(sentence) if token not in CLOSERS), False)


class Perplexity:
    """Perplexities by one model: 10 ** (-sum of log10 p / tokens), infinite for no tokens.

    The convention of KenLM's ``query``, unknown words included. What source and target share is scored once.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._of_sentence = lru_cache(REMEMBERED)(self._score)
        self._has = lru_cache(REMEMBERED)(model.__contains__)

    def of(self, text: str) -> Measured:
        """The perplexity of ``text``."""
        scored = [self._of_sentence(sentence) for sentence in normalise(text)]
        tokens = sum(s.tokens for s in scored)
        total = sum(s.perplexity for s in scored)
        return Measured(float(10 ** (-total / tokens)) if tokens else math.inf, tokens, sum(s.unknown for s in scored))

    def _score(self, sentence: str) -> Measured:
        words = sentence.split(" ")
        unknown = sum(not self._has(word) for word in words)
        return Measured(self._model.score(sentence, bos=True, eos=True), len(words) + 1, unknown)


def fold_of(work_id: str, folds: int) -> int:
    """The fold of a work, by a hash of its id."""
    return int.from_bytes(hashlib.sha256(work_id.encode()).digest()[:8], "big") % folds


class Estimate(NamedTuple):
    """How a model is estimated: n, counts up to which n-grams are left out by order, room to work in.

    ``fallback`` allows lmplz to guess discounts, which only very small texts need.
    """

    order: int
    prune: Sequence[int]
    fallback: bool
    memory_mb: int
    scratch: Path


def build_model(texts: Iterable[str], model: Path, estimate: Estimate) -> dict[str, int]:
    """Estimate an n-gram model of ``texts`` with lmplz and write it as a KenLM binary.

    Returns counts of lines and tokens. Raises DiscoError when the tools are missing or lmplz cannot estimate.
    """
    order, prune, fallback, memory_mb, place = estimate
    with TemporaryDirectory(dir=place) as scratch:
        lines, arpa = Path(scratch, "lines.txt"), Path(scratch, "model.arpa")
        counts = _write_lines(texts, lines)
        pruning = ["--prune", *map(str, prune)] if prune else []
        guess = ["--discount_fallback"] if fallback else []
        with open_text(lines) as stream:
            _run(
                [_tool("lmplz"), "-o", str(order), *pruning, *guess, "-S", f"{memory_mb}M", "-T", scratch],
                stdin=stream,
                arpa=arpa,
            )
        with whole(model) as temporary:
            _run([_tool("build_binary"), "-T", scratch, "trie", str(arpa), str(temporary)])
    return counts


def _write_lines(texts: Iterable[str], path: Path) -> dict[str, int]:
    counts = {"lines": 0, "tokens": 0}
    with open_text(path, "w") as out:
        for text in texts:
            for sentence in normalise(text):
                out.write(sentence + "\n")
                counts["lines"] += 1
                counts["tokens"] += sentence.count(" ") + 1
    if not counts["lines"]:
        raise DiscoError("no text is left to train a language model on; a fold needs works outside it: add works.")
    return counts


def _tool(name: str) -> str:
    found = shutil.which(name, path=f"{TOOLS}") or shutil.which(name)
    if found is None:
        raise DiscoError(f"{name} is neither in {TOOLS} nor on PATH; run `make setup`, which builds KenLM.")
    return found


def _run(command: list[str], stdin: Any = None, arpa: Path | None = None) -> None:
    """Run a tool of KenLM's; what it says goes to the log line by line, since it may take hours."""
    name, tail = Path(command[0]).name, ""
    with (
        open_text(arpa, "w") if arpa else nullcontext() as out,
        subprocess.Popen(command, stdin=stdin, stdout=out, stderr=subprocess.PIPE) as tool,
    ):
        for line in (line.decode("utf-8", "backslashreplace").strip() for line in tool.stderr or ()):
            logging.info("%s: %s", name, line)
            tail = line or tail
    if tool.returncode:
        keys = "synthesis.te.language_model or synthesis.zpr.language_model"
        remedy = (
            f"texts too small for its discounts need discount_fallback: true in {keys}"
            if "discount" in tail
            else f"look at order, prune and memory_mb of {keys}, and at the room on the disk"
        )
        raise DiscoError(f"{name} failed ({tail[:300]}); {remedy}.")
