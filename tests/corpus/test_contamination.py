"""Overlap with test sets: what is found, dropped, cut and told."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.codes import codes
from discobench.corpus.contamination import Decontaminator, Found, Terms
from discobench.corpus.exposure import exposure, overlaps, shared
from discobench.corpus.ngrams import ngrams, of_test_set, texts, tokens, within
from discobench.corpus.overlap import Index
from discobench.schema import schema
from discobench.sieve import Sieve
from tests.corpus.conftest import measured

Make = Callable[..., dict[str, Any]]
TEST = "那天夜里渡船没有来，老人把灯吹灭了。"
OTHER = "山路很长，石阶上满是青苔。到了山顶，他们看见了海。风从海上来。鸟往山里去。"
POEM = "白石桥边春水生，一人一马过长亭。"
SEPARATORS = ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


def index(n: int = 8, language: str = "zh", **tasks: list[dict[str, Any]]) -> Index:
    given = tasks or {"nt": [{"id": "t:1", "source_text": TEST, "work_id": OTHER, "references": ["Not come."], "n": 3}]}
    rows = [row for task, records in given.items() for row in of_test_set(task, records, language, n)]
    return Index(pa.Table.from_pylist(rows, schema("ngrams")), language)


def decontaminator(unit: str = "span", threshold: float = 0.5, found: Index | None = None) -> Decontaminator:
    chosen = found or index()
    terms = dict.fromkeys(chosen.n_of, Terms(unit, threshold))
    return Decontaminator(chosen, terms, Sieve("decontaminate"), Found())


def table(*records: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(records), schema("document"))


def clean(make: Make, text: str, id: str = "g:w:0", **fields: Any) -> dict[str, Any]:
    return measured(make(text, id, **fields), frozenset())


def reasons(check: Decontaminator) -> list[str]:
    return [row["reason"] for row in check.sieve.dropped]


def test_texts_of_any_task_are_found() -> None:
    record = {"id": "x", "work_id": "y", "speakers": [{"text": "a", "start": 1}], "before": ["b", "c"], "answer": 2}
    assert sorted(texts(record)) == ["a", "b", "c"]


@pytest.mark.parametrize("text", [TEST, TEST.replace("，", " ，\n"), "“" + TEST[:-1] + "！”"])
def test_marks_and_blanks_hide_nothing(document: Make, text: str) -> None:
    check = decontaminator()
    assert len(check(table(clean(document, text)))) == 0
    assert reasons(check) == ["contaminated"]
    (span,) = check.found.spans
    assert (span["task"], span["instance"]) == ("nt", "t:1")
    assert text[span["start"]] == "那"
    assert text[span["end"] - 1] == "了"


def test_below_the_threshold_a_document_is_kept_and_told(document: Make) -> None:
    records = table(clean(document, OTHER * 3 + TEST))
    check = decontaminator("document")
    assert check(records).equals(records)
    assert len(check.found.spans) == 1
    (row,) = check.found.overlaps
    assert (row["removed"], row["units"], round(row["share"], 4)) == ("nothing", 0, round(9 / 102, 4))
    assert check.found.grams()["left"].to_pylist() == [True] * 9


@pytest.mark.parametrize("joint", ["", "\n", "\n\n", " "])
def test_a_cut_leaves_the_document_as_if_it_had_never_had_the_sentence(document: Make, joint: str) -> None:
    with_it = clean(document, joint.join([OTHER[:13], TEST, OTHER[13:]]))
    check = decontaminator()
    (record,) = check(table(with_it)).to_pylist()
    assert record == clean(document, joint.join([OTHER[:13], OTHER[13:]]))
    (row,) = check.found.overlaps
    assert (row["removed"], row["units"]) == ("span", len(TEST))
    assert not any(check.found.grams()["left"].to_pylist())
    assert check.sieve.balance.kept == 1


def test_a_paragraph_ends_where_its_last_sentence_is_cut(document: Make) -> None:
    check = decontaminator()
    (record,) = check(table(clean(document, f"{OTHER}{TEST}\n{OTHER}\n\n{TEST}"))).to_pylist()
    assert record["text"] == f"{OTHER}\n{OTHER}"


def test_a_quoted_line_does_not_cost_a_chapter_and_a_poem_goes_whole(document: Make) -> None:
    found = index(10, pt=[{"id": "p:1", "source_text": POEM}])
    check = decontaminator("span", 0.5, found)
    chapter = clean(document, f"{OTHER}他念道：“{POEM}”{OTHER}", "g:w:1")
    kept = check(table(chapter, clean(document, POEM, "g:w:2"))).to_pylist()
    assert [record["text"] for record in kept] == [OTHER * 2]
    assert [row["removed"] for row in check.found.overlaps] == ["span", "document"]


def test_each_task_has_terms_of_its_own(document: Make) -> None:
    rows = [
        *of_test_set("nt", [{"id": "n", "text": TEST}], "zh", 8),
        *of_test_set("pt", [{"id": "p", "t": POEM}], "zh", 5),
    ]
    found = Index(pa.Table.from_pylist(rows, schema("ngrams")), "zh")
    terms = {"nt": Terms("document", 0.9), "pt": Terms("span", 0.9)}
    check = Decontaminator(found, terms, Sieve("decontaminate"), Found())
    (record,) = check(table(clean(document, OTHER + POEM + TEST))).to_pylist()
    assert record["text"] == OTHER + TEST
    assert [(row["task"], row["removed"]) for row in check.found.overlaps] == [("nt", "nothing"), ("pt", "span")]


def test_all_instances_of_a_passage_are_told(document: Make) -> None:
    found = index(8, si=[{"id": name, "context": TEST} for name in ("b", "a")])
    check = decontaminator("span", 0.5, found)
    check(table(clean(document, TEST)))
    assert [(span["instance"], span["start"]) for span in check.found.spans] == [("b", 0), ("a", 0)]


def test_test_works_go_whole_and_valid_works_stay(document: Make) -> None:
    check = decontaminator()
    splits = [clean(document, OTHER, f"g:{split}:0", split=split) for split in ("test", "valid", "train")]
    assert [record["split"] for record in check(table(*splits)).to_pylist()] == ["valid", "train"]
    assert reasons(check) == ["test work"]
    assert check.sieve.received == 3


def test_nothing_is_found_across_documents(document: Make) -> None:
    check = decontaminator("document", 0.0, index(13))
    halves = table(clean(document, OTHER + TEST[:9], "g:w:0"), clean(document, TEST[9:] + OTHER, "g:w:1"))
    assert check(halves).equals(halves)


@pytest.mark.parametrize("separator", SEPARATORS)
def test_line_separators_change_no_count_and_no_id(document: Make, separator: str) -> None:
    records = [
        clean(document, separator.join([OTHER, TEST, OTHER]), "g:w:0"),
        clean(document, separator.join([OTHER, OTHER]), "g:w:1"),
    ]
    check = decontaminator()
    assert [record["id"] for record in check(table(*records)).to_pylist()] == ["g:w:0", "g:w:1"]
    assert [span["id"] for span in check.found.spans] == ["g:w:0"]


def test_a_batch_finds_what_documents_find_alone(document: Make) -> None:
    records = [clean(document, OTHER[n:] + TEST[: 5 + n] + OTHER, f"g:w:{n}") for n in range(13)]
    together, alone = decontaminator(), decontaminator()
    batch = together(table(*records))
    assert batch.equals(pa.concat_tables([alone(table(record)) for record in records]))
    assert together.found.spans == alone.found.spans
    assert together.found.overlaps == alone.found.overlaps


ENGLISH = st.text(st.sampled_from("abAB '’-.,_1é\n"), max_size=60)


@given(st.lists(ENGLISH, max_size=4))
def test_english_tokens_are_words(found: list[str]) -> None:
    joined = codes(found)
    words = tokens(joined, "en")
    pattern = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
    expected = [
        (start + match.start(), start + match.end(), re.sub("['’]", "", match[0]).casefold())
        for text, start in zip(found, joined.bounds.tolist(), strict=False)
        for match in pattern.finditer(text)
    ]
    assert list(zip(words.starts.tolist(), words.ends.tolist(), strict=True)) == [span[:2] for span in expected]
    values = {word: value for (*_, word), value in zip(expected, words.values.tolist(), strict=True)}
    assert [values[word] for *_, word in expected] == words.values.tolist()
    assert len(set(values.values())) == len(values)


@given(st.text(st.sampled_from("山水Ａａ，ß1")), st.integers(1, 5))
def test_equal_ngrams_have_equal_hashes(text: str, n: int) -> None:
    plain = [c.replace("Ａ", "a").replace("ａ", "a") for c in text if c != "，"]
    expected = ["".join(plain[place : place + n]) for place in range(len(plain) - n + 1)]
    hashes = ngrams(tokens(codes([text]), "zh").values, n).tolist()
    assert len(hashes) == len(expected)
    assert len(set(zip(hashes, expected, strict=True))) == len(set(hashes)) == len(set(expected))


def test_english_words_and_texts_in_another_language() -> None:
    records = [{"id": "t", "target": "The old man put out the lamp.", "zh": TEST}, {"id": "u", "target": "Too short."}]
    found = index(4, "en", te=records)
    hits, sizes = found.search(["Then the OLD man put-out the lamp", ""])
    assert [span[:2] for span in hits.spans()] == [(5, 33)]
    assert sizes.tolist() == [8, 0]
    assert [len(row["hashes"]) for row in of_test_set("te", records, "en", 4)] == [4, 0]


def test_an_index_of_nothing_finds_nothing() -> None:
    hits, sizes = Index(schema("ngrams").empty_table(), "zh").search([TEST])
    assert (len(hits.document), sizes.tolist()) == (0, [16])


def test_a_test_set_of_texts_shorter_than_an_ngram_is_no_fault() -> None:
    rows = [
        *of_test_set("nt", [{"id": "n", "t": TEST}], "zh", 8),
        *of_test_set("pt", [{"id": "p", "t": POEM}], "zh", 99),
    ]
    hits, _ = Index(pa.Table.from_pylist(rows, schema("ngrams")), "zh").search([TEST, POEM])
    assert set(hits.document.tolist()) == set(hits.owner.tolist()) == {0}


@pytest.mark.parametrize(("text", "removed"), [(TEST, True), (OTHER * 3 + TEST, False)])
def test_what_documents_have_of_an_instance_is_its_exposure(document: Make, text: str, removed: bool) -> None:
    check = decontaminator("document")
    check(table(clean(document, text)))
    known = shared([check.found.grams(), decontaminator().found.grams()])
    rows = of_test_set("nt", [{"id": "a", "t": TEST}, {"id": "b", "t": TEST[:13] + POEM}], "zh", 8)
    found = list(exposure(pa.Table.from_pylist(list(rows), schema("ngrams")), "zh", *known))
    shares = [(row["seen"], row["left"]) for row in found]
    part = 5 / found[1]["ngrams"]
    assert shares == ([(1, 0), (part, 0)] if removed else [(1, 1), (part, part)])


def test_the_matrix_and_the_exposure_add_up() -> None:
    rows = list(of_test_set("nt", [{"id": "a", "t": TEST}, {"id": "b", "t": "短"}], "zh", 8))
    some = np.unique(within(codes([TEST[:13]]), "zh", 8))
    found = list(exposure(pa.Table.from_pylist(rows, schema("ngrams")), "zh", some, some[:1]))
    about = {"task": "nt", "language": "zh"}
    assert found == [
        {"instance": "a", "ngrams": 9, "seen": len(some) / 9, "left": 1 / 9} | about,
        {"instance": "b", "ngrams": 0, "seen": None, "left": None} | about,
    ]
    documents = [
        {"id": f"{n}", "genre": "g", "task": "nt", "share": 1.0, "removed": removed, "units": 5}
        for n, removed in enumerate(["document", "span", "nothing"])
    ]
    (cell,) = overlaps(documents, [{"genre": "g", "task": "nt", "instance": i} for i in "aab"])
    expected = {"genre": "g", "task": "nt", "instances": 2, "documents": 3, "dropped": 1, "cut": 1, "units": 15}
    assert cell == expected
