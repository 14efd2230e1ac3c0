"""Documents to constituency trees, one per sentence, with the exact place of every token.

The parser was taught plain quotes and apostrophes; typographic ones are replaced by these one for
one before it reads, so offsets hold: a token's text is ``document["text"][start:end]`` and a
tree's leaf is that text made plain.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from discobench.files import fingerprint
from discobench.records import Balance
from discobench.synthesis.trees import read_tree

PLAIN = str.maketrans("\u2018\u2019\u201c\u201d\n\t\u00a0\u2028\u2029\u0085", "''\"\"      ")
ROUGH_TOKEN = re.compile(r"\w+|[^\w\s]")
CHUNK = 200


class Sentence(NamedTuple):
    """One sentence of a document: its place, and the text that the parser sees."""

    document: Mapping[str, Any]
    number: int
    start: int
    end: int
    text: str


def sentences_of(document: Mapping[str, Any]) -> list[Sentence]:
    """The sentences of a document record, blanks at their ends left out."""
    result = []
    for number, span in enumerate(document["sentence_offsets"]):
        raw = document["text"][span["start"] : span["end"]]
        start = span["start"] + len(raw) - len(raw.lstrip())
        text = raw.strip()
        result.append(Sentence(document, number, start, start + len(text), text.translate(PLAIN)))
    return result


def within(documents: Sequence[Mapping[str, Any]], limit: int | None, balance: Balance) -> list[Mapping[str, Any]]:
    """The documents with at most ``limit`` sentences of each work, the rest dropped and counted.

    Which of a work's documents come first is a matter of their hashes; of one document, its first sentences.
    """
    spent: Counter[str] = Counter()
    chosen = {}
    for document in sorted(documents, key=lambda d: fingerprint(d["id"])):
        spans, work = document["sentence_offsets"], document["work_id"]
        kept = spans if limit is None else spans[: limit - spent[work]]
        spent[work] += len(kept)
        chosen[document["id"]] = {**document, "sentence_offsets": kept}
        if len(kept) < len(spans):
            balance.drop("over the limit of a work", len(spans) - len(kept))
    return [chosen[document["id"]] for document in documents]


def parse(
    documents: Iterable[Mapping[str, Any]], pipeline: Any, max_tokens: int, balance: Balance
) -> list[dict[str, Any]]:
    """Records of schema ``tree``, ordered by document id and sentence.

    Dropped, with the reason in ``balance``: empty sentences, those of more than ``max_tokens`` words
    and marks (a contraction counts as one), and those whose tree does not cover the text.
    """
    wanted = [s for d in documents for s in sentences_of(d) if _fits(s, max_tokens, balance)]
    wanted.sort(key=lambda s: (len(s.text), s.document["id"], s.number))
    found: list[tuple[Any, dict[str, Any]]] = []
    for first in range(0, len(wanted), CHUNK):
        found += _parse_chunk(wanted[first : first + CHUNK], pipeline, balance)
    return [record for _, record in sorted(found, key=lambda pair: pair[0])]


def _fits(sentence: Sentence, max_tokens: int, balance: Balance) -> bool:
    length = sum(1 for _ in ROUGH_TOKEN.finditer(sentence.text))
    if length == 0:
        balance.drop("empty sentence")
    elif length > max_tokens:
        balance.drop("too many tokens")
    return 0 < length <= max_tokens


def _parse_chunk(chunk: Sequence[Sentence], pipeline: Any, balance: Balance) -> Iterator[tuple[Any, dict[str, Any]]]:
    parsed = pipeline("\n\n".join(s.text for s in chunk)).sentences
    by_start = {s.tokens[0].start_char: s for s in parsed}
    origin = 0
    for sentence in chunk:
        record = _record(sentence, by_start.get(origin), origin)
        origin += len(sentence.text) + 2
        if record is None:
            balance.drop("tree does not cover the sentence")
            continue
        balance.keep()
        yield (sentence.document["id"], sentence.number), record


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
        "id": f"{document['id']}:{sentence.number}",
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
