"""Parsing in batches and blocks, with a parser that fails on demand."""

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.parquet import read_parquet
from discobench.synthesis import parsing
from discobench.synthesis.parsing import OVER, Limits, allowances, dropped_beside, parse, parse_sentences, sentences_of

LIMITS = Limits(max_tokens=150, batch_tokens=60, save_every=4)


def _tree(words: list[str]) -> str:
    escaped = [word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words]
    return f"(ROOT (X {' '.join(f'(NN {word})' for word in escaped)}))"


class Parser:
    """Stands in for stanza: flat trees; ``trouble`` may raise for a list of sentences. Remembers its batches."""

    def __init__(self, trouble: Callable[[list[str]], None] = lambda sentences: None) -> None:
        self.trouble = trouble
        self.batches: list[list[str]] = []

    def __call__(self, text: str) -> Any:
        sentences = text.split("\n\n")
        self.batches.append(sentences)
        self.trouble(sentences)
        parsed, start = [], 0
        for sentence in sentences:
            words = re.findall(r"\w+|[^\w\s]", sentence)
            tokens = [SimpleNamespace(start_char=start)]
            found = [SimpleNamespace(text=word) for word in words]
            parsed.append(SimpleNamespace(tokens=tokens, words=found, constituency=_tree(words)))
            start += len(sentence) + 2
        return SimpleNamespace(sentences=parsed)


def _document(sentences: list[str], name: str = "s:w:d") -> dict[str, Any]:
    text, offsets = "", []
    for sentence in sentences:
        offsets.append({"start": len(text), "end": len(text) + len(sentence)})
        text += sentence + "\n"
    common = {"source": "s", "work_id": "w", "language": "en", "split": "train"}
    return common | {"id": name, "text": text, "sentence_offsets": offsets}


def _parsed(sentences: list[str], parser: Parser, limits: Limits = LIMITS) -> tuple[list[str], dict[str, str]]:
    """Ids of the trees, and reasons by id of what was dropped."""
    trees, dropped = parse_sentences(sentences_of(_document(sentences)), parser, limits)
    return [tree["id"] for tree in trees], {row["id"]: row["reason"] for row in dropped}


@given(st.lists(st.integers(0, 30), max_size=40))
def test_every_sentence_is_parsed_once_in_batches_that_are_small_enough(lengths: list[int]) -> None:
    parser = Parser()
    sentences = [f"{'w ' * length}".strip() for length in lengths]
    trees, dropped = _parsed(sentences, parser)
    assert trees == [f"s:w:d:{n}" for n, length in enumerate(lengths) if length]
    assert set(dropped.values()) <= {"empty sentence"}
    sizes = [[len(sentence.split()) for sentence in batch] for batch in parser.batches]
    assert sorted(size for batch in sizes for size in batch) == sorted(length for length in lengths if length)
    assert all(len(batch) == 1 or max(batch) * len(batch) <= LIMITS.batch_tokens for batch in sizes)


def test_a_sentence_of_600_tokens_is_dropped_and_the_others_are_not() -> None:
    trees, dropped = _parsed(["He ran.", "and " * 600, "She (too) ran."], Parser())
    assert trees == ["s:w:d:0", "s:w:d:2"]
    assert dropped == {"s:w:d:1": "too many tokens"}


def test_for_want_of_memory_batches_are_halved_and_then_a_sentence_is_dropped() -> None:
    def memory(sentences: list[str]) -> None:
        if sum(len(sentence.split()) for sentence in sentences) > 12:
            raise MemoryError

    parser = Parser(memory)
    trees, dropped = _parsed(["a b c"] * 9 + ["a " * 20], parser)
    assert trees == [f"s:w:d:{n}" for n in range(9)]
    assert dropped == {"s:w:d:9": "no memory to parse it"}
    assert max(len(batch) for batch in parser.batches) == 10 - 1


@pytest.mark.parametrize(
    ("error", "reason"),
    [(RecursionError, "tree too deep"), (AssertionError, "the parser found no tree")],
)
def test_a_sentence_that_the_parser_fails_at_goes_alone(error: type[Exception], reason: str) -> None:
    def curse(sentences: list[str]) -> None:
        if any("cursed" in sentence for sentence in sentences):
            raise error

    trees, dropped = _parsed(["One.", "Two.", "A cursed one.", "Three."], Parser(curse))
    assert trees == ["s:w:d:0", "s:w:d:1", "s:w:d:3"]
    assert dropped == {"s:w:d:2": reason}


def test_a_fault_of_another_kind_is_not_hidden() -> None:
    def broken(sentences: list[str]) -> None:
        raise KeyError("a fault")

    with pytest.raises(KeyError):
        _parsed(["One."], Parser(broken))


def test_a_tree_that_does_not_cover_its_sentence_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_leaf", str.upper)
    assert _parsed(["One."], Parser()) == ([], {"s:w:d:0": "tree does not cover the sentence"})


def test_what_was_parsed_before_an_interruption_is_not_parsed_again(tmp_path: Path) -> None:
    documents = [_document([f"Sentence {n} of a." for n in range(6)], "a"), _document(["Of b.", "", "Again."], "b")]
    calls = 0

    def interrupted(sentences: list[str]) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse(documents, Parser(interrupted), LIMITS, tmp_path / "state")
    after = Parser()
    resumed = parse(documents, after, LIMITS, tmp_path / "state")
    assert not {"Sentence 0 of a.", "Sentence 3 of a."} & {s for batch in after.batches for s in batch}
    whole = parse(documents, Parser(), LIMITS, tmp_path / "other")
    assert [read_parquet(a, "tree") for a in resumed] == [read_parquet(b, "tree") for b in whole]
    assert [len(read_parquet(path, "tree")) for path in whole] == [4, 3, 1]
    assert [row["id"] for path in whole for row in read_parquet(dropped_beside(path), "dropped")] == ["b:1"]


def test_a_work_gives_no_more_sentences_than_the_limit() -> None:
    documents = [
        {"id": f"g:{work}:{n}", "work_id": work, "sentence_offsets": [{"start": k, "end": k + 1} for k in range(4)]}
        for work in "ab"
        for n in range(3)
    ]
    allowed = allowances(documents, 6)
    assert allowed == allowances(documents[::-1], 6) and allowed is not None
    assert sorted(allowed[f"g:a:{n}"] for n in range(3)) == sorted(allowed[f"g:b:{n}"] for n in range(3)) == [0, 2, 4]
    assert allowances(documents, None) is None


def test_what_is_over_the_limit_is_not_parsed_but_told() -> None:
    parser = Parser()
    sentences = sentences_of(_document(["One lamp.", "Two lamps.", "Three lamps."]))
    trees, dropped = parse_sentences(sentences, parser, LIMITS, {"s:w:d": 2})
    assert [tree["id"] for tree in trees] == ["s:w:d:0", "s:w:d:1"]
    assert {row["id"]: row["reason"] for row in dropped} == {"s:w:d:2": OVER}
    assert not any("Three lamps." in batch for batch in parser.batches)
