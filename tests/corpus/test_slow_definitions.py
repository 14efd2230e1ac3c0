"""What is done to whole batches at once, beside the plain definition of each."""

import re
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.characters import Kind, are, kinds, kinds_of
from discobench.corpus.clean import unwrapped, without_boilerplate
from discobench.corpus.codes import LIMIT, codes, looked_up
from discobench.corpus.hashes import rising
from discobench.corpus.measures import repetition
from discobench.corpus.rules import read_rules
from discobench.corpus.sentences import BETWEEN, STEPS, _behind, _opened, sentences, split
from discobench.corpus.texts import CASELESS, LONG, comparables, counted
from discobench.parquet import column
from tests.corpus.slowly import plain_sentences

ROOT = Path(__file__).parents[2]
RULES = {language: read_rules(ROOT / f"resources/cleaning/{language}.yaml") for language in ("zh", "en")}
TEXTS = st.lists(st.text(alphabet="风雨aBß_①ﬁⅣ7。“”. \n\U00020000", max_size=40), min_size=1, max_size=5)
LINES = st.lists(st.integers(26, 92).map(lambda size: "风雨。"[size % 3] * size) | st.sampled_from(["", "a", "风。"]))
FLAGS = st.lists(st.tuples(st.booleans(), st.integers(1, 2 * STEPS)), min_size=1, max_size=8)
SPEECH = st.lists(
    st.sampled_from(["Mr", "vs", "etc", "I", "J", "Rain", "he", ".", "...", "?", "”", '"', " ", "“", "\n"])
).map("".join)
LANGUAGES = st.sampled_from(["zh", "en"])


@given(LINES, LANGUAGES)
def test_wrapped_lines_are_those_of_one_pattern(lines: list[str], language: str) -> None:
    wrapped = RULES[language].wrapped
    unless, length = wrapped.unless.pattern, f"{wrapped.shortest},{wrapped.longest}"
    pattern = re.compile(rf"^(?!(?:{unless})$)(.{{{length}}})\n(?=.)", re.MULTILINE)
    text = "\n".join(lines)
    found = "\n".join(unwrapped(lines, RULES[language]))
    assert found == pattern.sub(lambda match: match[1] + wrapped.joint, text)


@given(st.lists(st.sampled_from(["", " ", "风。", " 雨。　"])), LANGUAGES)
def test_empty_lines_are_those_of_one_pattern(lines: list[str], language: str) -> None:
    text = "\n".join(line.strip() for line in lines)
    kept, removed = without_boilerplate(lines, RULES[language])
    assert ("\n".join(kept), removed) == (re.sub("\n{3,}", "\n\n", text).strip(), 0)


@given(st.lists(st.lists(st.sampled_from(["好\n", "来！", "风雨来了。", "风雨去了。", "风霜雨了。"]), max_size=9)))
def test_repetition_is_the_share_of_sentences_seen_before(texts: list[list[str]]) -> None:
    found = repetition(["".join(text) for text in texts], *_batch(["".join(text) for text in texts]))
    assert found.tolist() == [1 - len(set(text)) / len(text) if text else 0.0 for text in texts]


def _batch(texts: list[str]) -> tuple[Any, Any]:
    return codes(texts, BETWEEN), split(texts, "zh")


@given(FLAGS)
def test_runs_end_and_begin_where_walking_does(runs: list[tuple[bool, int]]) -> None:
    flags = np.repeat(*map(np.array, zip(*runs, strict=True)))
    places = np.arange(len(flags))
    behind, opened = [], []
    for place in places.tolist():
        later = [n for n in range(place, len(flags)) if not flags[n]]
        earlier = [n for n in range(place, 0, -1) if not flags[n - 1]]
        behind.append((later or [len(flags) - 1])[0])
        opened.append((earlier or [0])[0])
    assert _behind(flags, places).tolist() == behind
    assert _opened(flags, places).tolist() == opened


@given(st.text(alphabet="风雨aBIé .!?…。！？，；”’」)\"'“_—7\n\u3000", max_size=60) | SPEECH, LANGUAGES)
def test_sentences_are_those_of_patterns_line_by_line(text: str, language: str) -> None:
    abbreviations = RULES[language].abbreviations
    found = [text[start:end] for start, end in sentences(text, language, abbreviations)]
    assert found == plain_sentences(text, language, abbreviations)


@given(TEXTS)
def test_comparable_forms_are_letters_and_digits(texts: list[str]) -> None:
    batch = codes(texts, BETWEEN)
    plain = ["".join(re.findall(r"[^\W_]", text)) for text in texts]
    expected = [unicodedata.normalize("NFKC", text).casefold() for text in plain]
    assert list(comparables(batch, kinds_of(batch.points))) == expected


@given(TEXTS, st.sampled_from([1, LONG]))
def test_flags_are_counted_text_by_text(texts: list[str], times: int) -> None:
    texts = [text * times for text in texts]
    batch = codes(texts, BETWEEN)
    found = counted(batch, are(kinds_of(batch.points), Kind.WORD))
    assert found.tolist() == [len(re.findall(r"\w", text)) for text in texts]


@given(st.lists(st.integers(0, 9) | st.integers(2**64 - 3, 2**64 - 1)))
def test_rising_values_are_a_set_in_order(values: list[int]) -> None:
    assert rising(np.array(values, np.uint64)).tolist() == sorted(set(values))


def test_points_past_the_table_share_its_last_entry() -> None:
    points = np.array([0, LIMIT - 1, LIMIT, LIMIT + 1, 0x10FFFF], np.uint32)
    assert looked_up(kinds(), points).tolist() == kinds()[np.minimum(points, LIMIT)].tolist()


@given(st.text(alphabet="风雨。.w/:htpscomA", max_size=60) | st.integers(30, 50).map(lambda n: "风" * n + "a.com"))
def test_lines_without_a_letter_are_no_site_lines(line: str) -> None:
    ahead = "(?=[^A-Za-z0-9]{0,40}+[A-Za-z0-9])"  # it only spares the search
    rules = RULES["zh"].lines.pattern
    assert ahead in rules
    assert bool(RULES["zh"].lines.fullmatch(line)) == bool(re.fullmatch(rules.replace(ahead, ""), line))


def test_neither_han_nor_digits_have_a_case() -> None:
    found = kinds()
    words = np.flatnonzero(are(found, Kind.WORD) & ~((found & CASELESS) == Kind.LETTER))
    forms = [unicodedata.normalize("NFKC", chr(code)) for code in words.tolist()]
    assert "風" in forms and "7" in forms
    assert [form.casefold() for form in forms] == forms


@given(st.lists(st.none() | st.text(max_size=9) | st.text(alphabet="风é\0𠀀", max_size=9), max_size=9))
def test_columns_of_strings_are_arrows_own(values: list[str | None]) -> None:
    kind = pa.large_string()
    found = column(values, kind)
    found.validate(full=True)
    assert found.equals(pa.array(values, kind))
