"""Documents to constituency trees, one per sentence, with the exact place of every token.

The parser was taught plain quotes and apostrophes; typographic ones are replaced by these one for
one before it reads, so offsets hold: a token's text is ``document["text"][start:end]`` and a
tree's leaf is that text made plain.
"""

import logging
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from discobench.files import fingerprint
from discobench.parquet import write_parquet
from discobench.sieve import PLACE
from discobench.synthesis.trees import read_tree

PLAIN = str.maketrans("\u2018\u2019\u201c\u201d\n\t\u00a0\u2028\u2029\u0085", "''\"\"      ")
ROUGH_TOKEN = re.compile(r"\w+|[^\w\s]")
EMPTY = "empty sentence"
TOO_LONG = "too many tokens"
COUNTED = ("id", "work_id", "sentence_offsets")
"""What of a document must be known to count its sentences and those allowed."""
OVER = "over the limit of a work"
UNCOVERED = "tree does not cover the sentence"
TROUBLES: Mapping[type[Exception], str] = {
    MemoryError: "no memory to parse it",
    RecursionError: "tree too deep",
    AssertionError: "the parser found no tree",  # stanza's way to say that a batch came back short
}
Pipeline: TypeAlias = Callable[[str], Any]
"""Blank-line separated sentences to a stanza document; raises MemoryError when there is too little."""


class Limits(NamedTuple):
    """The longest sentence in rough tokens, rough tokens of a batch, sentences of a block."""

    max_tokens: int
    batch_tokens: int
    save_every: int


class Sentence(NamedTuple):
    """One sentence of a document: its place, and the text that the parser sees."""

    document: Mapping[str, Any]
    number: int
    start: int
    end: int
    text: str

    @property
    def id(self) -> str:
        """The document's id and the sentence's number."""
        return f"{self.document['id']}:{self.number}"


def sentences_of(document: Mapping[str, Any]) -> list[Sentence]:
    """The sentences of a document record, blanks at their ends left out."""
    result = []
    for number, span in enumerate(document["sentence_offsets"]):
        raw = document["text"][span["start"] : span["end"]]
        start = span["start"] + len(raw) - len(raw.lstrip())
        text = raw.strip()
        result.append(Sentence(document, number, start, start + len(text), text.translate(PLAIN)))
    return result


def allowances(documents: Iterable[Mapping[str, Any]], limit: int | None) -> dict[str, int] | None:
    """How many of its first sentences of each document are parsed, so that a work has at most ``limit``; None: all.

    Which of a work's documents come first is a matter of the hashes of their ids.
    """
    if limit is None:
        return None
    spent: Counter[str] = Counter()
    allowed: dict[str, int] = {}
    sizes = [(fingerprint(d["id"]), d["id"], d["work_id"], len(d["sentence_offsets"])) for d in documents]
    for _, name, work, size in sorted(sizes):
        allowed[name] = min(size, limit - spent[work])
        spent[work] += allowed[name]
    return allowed


def parse(
    documents: Iterable[Mapping[str, Any]],
    pipeline: Pipeline,
    limits: Limits,
    state: Path,
    allowed: Mapping[str, int] | None = None,
) -> list[Path]:
    """Parse in blocks that outlast a killed job; returns their files in order.

    Each ``block-<n>.parquet`` in ``state`` holds records of schema ``tree`` in the documents' order, its
    ``block-<n>.dropped.parquet`` those of schema ``dropped``. Blocks that are there are not parsed again:
    ``state`` must belong to these documents, this parser and these limits alone.
    """
    sentences = (sentence for document in documents for sentence in sentences_of(document))
    blocks = enumerate(_cut(sentences, limits.save_every))
    return [_block(n, some, pipeline, limits, state, allowed) for n, some in blocks]


def dropped_beside(block: Path) -> Path:
    """Where a block's dropped sentences are."""
    return block.with_suffix(".dropped.parquet")


def _cut(sentences: Iterable[Sentence], size: int) -> Iterator[list[Sentence]]:
    iterator = iter(sentences)
    while some := list(islice(iterator, size)):
        yield some


def _block(
    number: int,
    sentences: Sequence[Sentence],
    pipeline: Pipeline,
    limits: Limits,
    state: Path,
    allowed: Mapping[str, int] | None,
) -> Path:
    path = state / f"block-{number:06d}.parquet"
    if path.exists():
        logging.info("block %d is there", number)
        return path
    begun = time.monotonic()
    trees, dropped = parse_sentences(sentences, pipeline, limits, allowed)
    write_parquet(dropped_beside(path), dropped, "dropped")
    write_parquet(path, trees, "tree")
    logging.info("block %d: %d trees, %.0f sentences/s", number, len(trees), len(trees) / (time.monotonic() - begun))
    return path


def parse_sentences(
    sentences: Sequence[Sentence], pipeline: Pipeline, limits: Limits, allowed: Mapping[str, int] | None = None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Records of schema ``tree`` and of schema ``dropped``, each in the order of ``sentences``.

    Dropped are sentences past what is allowed of their document (see ``allowances``), empty ones, those of more than
    ``limits.max_tokens`` words and marks (a contraction counts as one), those that the parser has no memory or no
    tree for, and those that their tree does not cover.
    """
    lengths = [sum(1 for _ in ROUGH_TOKEN.finditer(s.text)) for s in sentences]
    over = {n for n, s in enumerate(sentences) if allowed is not None and s.number >= allowed[s.document["id"]]}
    lengths = [0 if n in over else length for n, length in enumerate(lengths)]
    found: dict[int, dict[str, Any] | str] = dict.fromkeys(over, OVER)
    for batch in _batches(lengths, limits):
        chosen = [sentences[n] for n in batch]
        found |= zip(batch, _parsed(chosen, pipeline), strict=True)
    outcomes = [found.get(n, TOO_LONG if length else EMPTY) for n, length in enumerate(lengths)]
    dropped = [_dropped(s, reason) for s, reason in zip(sentences, outcomes, strict=True) if isinstance(reason, str)]
    return [record for record in outcomes if isinstance(record, dict)], dropped


def _batches(lengths: Sequence[int], limits: Limits) -> Iterator[list[int]]:
    """Indices by length, so many that the longest of a batch times their number is at most ``batch_tokens``."""
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lambda n: (lengths[n], n)):
        if not 0 < lengths[n] <= limits.max_tokens:
            continue
        if batch and lengths[n] * (len(batch) + 1) > limits.batch_tokens:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch


def _parsed(batch: Sequence[Sentence], pipeline: Pipeline) -> list[dict[str, Any] | str]:
    """A tree or a reason for each sentence: a batch that fails is halved until the culprit stands alone."""
    try:
        parsed = pipeline("\n\n".join(s.text for s in batch)).sentences
    except tuple(TROUBLES) as error:
        logging.warning("a batch of %d sentences failed: %s", len(batch), type(error).__name__)
        if len(batch) == 1:
            return [next(reason for kind, reason in TROUBLES.items() if isinstance(error, kind))]
        half = len(batch) // 2
        return _parsed(batch[:half], pipeline) + _parsed(batch[half:], pipeline)
    by_start = {s.tokens[0].start_char: s for s in parsed}
    origins = accumulate((len(s.text) + 2 for s in batch[:-1]), initial=0)
    return [_record(s, by_start.get(origin), origin) or UNCOVERED for s, origin in zip(batch, origins, strict=True)]


def _dropped(sentence: Sentence, reason: str) -> dict[str, Any]:
    facts = {"id": sentence.id, "source": sentence.document["source"], "step": "parse", "reason": reason}
    return facts | dict.fromkeys(PLACE)


def _record(sentence: Sentence, parsed: Any, origin: int) -> dict[str, Any] | None:
    if parsed is None:
        return None
    spans = _spans(parsed, sentence.text, origin)
    tree = str(parsed.constituency)
    if spans is None or read_tree(tree).words() != [_leaf(sentence.text[a:b]) for a, b in spans]:
        return None
    shift = sentence.start
    document = sentence.document
    return {
        "id": sentence.id,
        **{key: document[key] for key in ("source", "work_id", "language", "split")},
        "document_id": document["id"],
        "start": sentence.start,
        "end": sentence.end,
        "tree": tree,
        "tokens": [{"start": shift + a, "end": shift + b} for a, b in spans],
    }


def _leaf(token: str) -> str:
    """How a tree spells a token, escapes undone (trees.Node.words): two quotes in a row are one mark."""
    return '"' if token in ("``", "''") else token


def _spans(parsed: Any, text: str, origin: int) -> list[tuple[int, int]] | None:
    """Each word's place in ``text``, found from left to right; None when something is left over.

    Words, not tokens: a contraction may be one token of two words, which have no offsets of their own.
    """
    spans = []
    place = 0
    for word in parsed.words:
        place += len(text[place:]) - len(text[place:].lstrip())
        if not text.startswith(word.text, place):
            return None
        spans.append((place, place + len(word.text)))
        place += len(word.text)
    return None if text[place:].strip() or parsed.tokens[0].start_char != origin else spans
