"""Every task: its checks, its example, its gold, its baselines, and messy answers of an LLM."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.config.load import resolve
from discobench.errors import DiscoError
from discobench.formulations import ChoiceExample, GapsExample, SpanExample, TextExample
from discobench.schema import schema
from discobench.tasks import task
from discobench.tasks.answers import strip_quotes
from discobench.tasks.base import BASELINES, commonest
from discobench.tasks.ti import GAP, TextInfilling
from discobench.tasks.zpr import FORMS
from tests.support import ROOT

NAMES = ("si", "zpr", "mrc", "nt", "cct", "pt", "te", "ti", "tc")


def record(name: str, **fields: Any) -> dict[str, Any]:
    common = {"id": f"own:{name}:1", "source": "own", "work_id": "w", "language": "zh", "split": "train"}
    return dict.fromkeys(schema(name).names) | common | fields


def si(**changes: Any) -> dict[str, Any]:
    fields = {
        "context": "阿宁说：“雨停了。”",
        "utterance": "雨停了。",
        "utterance_start": 5,
        "utterance_end": 9,
        "no_speaker": False,
        "speakers": [{"text": "阿宁", "start": 0}],
    }
    return record("si", **(fields | changes))


def zpr(**changes: Any) -> dict[str, Any]:
    zeros = [{"offset": 0, "pronoun": "你", "role": None, "in_inventory": True}]
    fields = {"text": "吃饭了吗？", "before": ["妈妈回来了。"], "after": [], "domain": "movie", "zeros": zeros}
    return record("zpr", **(fields | changes))


def zero(offset: int, form: str | None) -> dict[str, Any]:
    return {"offset": offset, "pronoun": form, "role": None, "in_inventory": None}


def mrc(**changes: Any) -> dict[str, Any]:
    fields = {
        "style": "modern",
        "passage": "猫在屋顶。",
        "question": "猫在哪里？",
        "choices": ["屋顶", "河边"],
        "answer": 0,
    }
    return record("mrc", **(fields | changes))


def span(start: int, end: int) -> dict[str, Any]:
    return {"start": start, "end": end, "type": "adjective", "rule": "own"}


EXAMPLES = {
    "si": si(),
    "zpr": zpr(),
    "mrc": mrc(),
    "nt": record("nt", document_id="d", position=0, source_text="雨停了。", references=["The rain stopped."]),
    "cct": record("cct", document_id="d", position=0, source_text="雨止。", references=["雨停了。"]),
    "pt": record("pt", document_id="d", position=0, source_text="夜雨", references=["Rain at night"]),
    "te": record("te", source_text="A cat slept.", target="A grey cat slept."),
    "ti": record("ti", before=["一。", "二。"], target="三。", after=["四。", "五。"]),
    "tc": record("tc", prompt="一。", target=["二。", "三。", "四。", "五。"]),
}


EDIT = {"start": 0, "end": 1, "from": "A", "to": "x"}


@pytest.mark.parametrize("name", NAMES)
def test_a_good_record_passes_and_renders(name: str) -> None:
    kind = {"span": SpanExample, "gaps": GapsExample, "choice": ChoiceExample, "text": TextExample}
    found = task(name)
    assert found.check(EXAMPLES[name]) is None
    example = found.example(EXAMPLES[name])
    assert isinstance(example, kind[found.formulation])
    assert example.id == EXAMPLES[name]["id"]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_of_baselines_has_an_answer_per_record(name: str) -> None:
    found = task(name)
    rows = resolve({}, ROOT).rows
    for baseline in BASELINES:
        if name in rows[baseline].tasks:
            answers = found.baseline(baseline, [EXAMPLES[name]], [EXAMPLES[name]] * 3, Random(1))
            assert len(answers) == 3


@pytest.mark.parametrize("name", NAMES)
def test_fields_of_prompts_are_text(name: str) -> None:
    assert all(isinstance(value, str) for value in task(name).fields(EXAMPLES[name]).values())


@pytest.mark.parametrize(
    ("name", "broken", "reason"),
    [
        ("si", si(utterance_start=4), "utterance"),
        ("si", si(speakers=[{"text": "阿明", "start": 0}]), "阿明"),
        ("si", si(speakers=[]), "no_speaker"),
        ("si", si(no_speaker=True), "no_speaker"),
        ("si", si(utterance_end=None), "utterance_end"),
        ("si", si(utterance_start=-5, utterance_end=-1, utterance="雨停了。"), "utterance"),
        ("si", si(speakers=[{"text": "”", "start": -1}]), "offset -1"),
        ("zpr", zpr(zeros=[zero(9, "你")]), "outside"),
        ("zpr", zpr(zeros=[zero(0, "你"), zero(0, "我")]), "same gap"),
        ("zpr", zpr(zeros=[zero(0, None)]), "pronoun"),
        (
            "zpr",
            zpr(zeros=[{"offset": 0, "pronoun": "这", "in_inventory": True}]),
            "in_inventory of zeros says True of",
        ),
        ("mrc", mrc(answer=2), "answer 2"),
        ("mrc", mrc(choices=["屋顶"]), "two to five"),
        ("mrc", mrc(choices=["屋顶", "河边", "屋顶"]), "two choices"),
        ("mrc", mrc(choices=list("甲乙丙丁戊己")), "two to five texts that are not empty, found 6"),
        ("mrc", mrc(choices=["屋顶", "\u3000"]), "two to five texts that are not empty"),
        ("mrc", mrc(passage=" "), "passage is empty"),
        ("nt", EXAMPLES["nt"] | {"references": [" "]}, "references"),
        ("te", EXAMPLES["te"] | {"source_text": ""}, "source_text"),
        ("te", EXAMPLES["te"] | {"insertions": [span(2, 6)]}, "not target without"),
        ("te", EXAMPLES["te"] | {"edits": [span(14, 19)]}, "outside the target"),
        ("te", EXAMPLES["te"] | {"insertions": [span(2, 7), span(3, 7)]}, "overlap"),
        ("te", EXAMPLES["te"] | {"insertions": [span(2, 7)], "edits": [EDIT]}, "target has 'x' where it does not"),
        ("si", si(speakers=[{"text": "\u3000", "start": None}]), "a speaker has no text"),
        ("zpr", zpr(zeros=[zero(0, " ")]), "pronoun"),
        ("ti", EXAMPLES["ti"] | {"after": ["四。"]}, "two sentences"),
        ("ti", EXAMPLES["ti"] | {"before": ["一。", "\u3000"]}, "two sentences"),
        ("tc", EXAMPLES["tc"] | {"target": ["二。"]}, "four sentences"),
    ],
)
def test_a_broken_record_is_refused_with_its_field(name: str, broken: dict[str, Any], reason: str) -> None:
    assert reason in (task(name).check(broken) or "")


def test_an_expansion_is_its_source_with_what_was_deleted() -> None:
    assert task("te").check(EXAMPLES["te"] | {"insertions": [span(2, 7)], "edits": []}) is None


@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("answer", ["{letter}", "答案：{letter}．", "{wide}", "选项是{text}"])
def test_a_long_passage_is_asked_whole_and_answered_by_letter_or_text(count: int, answer: str) -> None:
    choices = [f"第{n}位" for n in "甲乙丙丁戊"[:count]]
    asked = mrc(passage="雨停了。" * 1_000, choices=choices, answer=count - 1)
    assert task("mrc").check(asked) is None and task("mrc").fields(asked)["passage"] == asked["passage"]
    letter = "ABCDE"[count - 1]
    given = answer.format(letter=letter, wide=chr(ord(letter) + 0xFEE0), text=choices[-1])
    assert task("mrc").parse(given, asked) == (count - 1, "ok")


@pytest.mark.parametrize(
    ("choices", "answer", "expected"),
    [
        (["红", "红色", "３个"], "红色", 1),
        (["红", "红色", "３个"], "选红色。", 1),
        (["红", "红色", "３个"], "３个", 2),
        (["红", "红色", "３个"], "红", 0),
        (["维生素A", "维生素C", "（三）"], "维生素A", 0),
        (["维生素A", "维生素C", "（三）"], "维生素C", 1),
        (["维生素A", "维生素C", "（三）"], "应是（三）", 2),
    ],
)
def test_a_choice_given_in_full_counts_before_letters_and_parts_of_it(
    choices: list[str], answer: str, expected: int
) -> None:
    assert task("mrc").parse(answer, mrc(choices=choices)) == (expected, "ok")


def test_choices_that_are_equal_do_no_harm_unless_one_is_right() -> None:
    assert task("mrc").check(mrc(choices=["屋顶", "河边", "河边"])) is None


def test_the_commonest_zero_pronoun_is_one_of_the_inventory() -> None:
    outside = zpr(zeros=[{"offset": 0, "pronoun": "这", "role": None, "in_inventory": False}])
    assert task("zpr").baseline("majority", [outside, outside, zpr()], [zpr()], Random(1)) == [[(0, "你")]]
    assert task("zpr").baseline("majority", [outside], [zpr()], Random(1))[0][0][1] in FORMS


def test_si_without_speaker_answers_with_the_quotation() -> None:
    quiet = si(no_speaker=True, speakers=[])
    assert task("si").gold(quiet) == ["雨停了。"]
    assert task("si").example(quiet).answers == ((5, 9),)  # type: ignore[union-attr]


def test_the_inventory_has_the_thirty_forms_of_table_12() -> None:
    assert len(FORMS) == len(set(FORMS)) == 30
    assert {"我们的", "你们的", "它们自己的"} <= set(FORMS)


def test_a_form_outside_the_inventory_is_gold_but_not_learned() -> None:
    odd = zpr(zeros=[{"offset": 0, "pronoun": "这", "role": None, "in_inventory": False}])
    assert task("zpr").gold(odd) == [(0, "这")]
    assert task("zpr").example(odd).labels == ()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("mrc", "答案：Ｂ", (1, "ok")),
        ("mrc", "The answer is A, because a cat climbs.", (0, "ok")),
        ("mrc", "河边", (1, "ok")),
        ("mrc", "屋顶还是河边？", (None, "unparsable")),
        ("mrc", "", (None, "empty")),
        ("si", "Speaker: 阿宁、阿明。", (["阿宁", "阿明"], "ok")),
        ("si", "  ", ([], "empty")),
        ("zpr", "<你>吃饭了吗？", ([(0, "你")], "ok")),
        ("zpr", "none", ([], "ok")),
        ("zpr", "你吃过饭了吗？", ([], "unparsable")),
        ("nt", "“The rain stopped.”", ("The rain stopped.", "ok")),
        ("te", "", ("", "empty")),
    ],
)
def test_messy_answers_are_parsed(name: str, answer: str, expected: tuple[Any, str]) -> None:
    assert task(name).parse(answer, EXAMPLES[name]) == expected


@pytest.mark.parametrize("answer", ["雨停了，走吧。", "“雨停了，走吧。”", "说话人：雨停了，走吧。"])
def test_a_quotation_that_nobody_says_is_answered_with_its_commas(answer: str) -> None:
    sign = {"context": "门上写着：“雨停了，走吧。”", "utterance": "雨停了，走吧。"}
    quiet = si(no_speaker=True, speakers=[], utterance_start=6, utterance_end=13, **sign)
    assert task("si").check(quiet) is None
    assert task("si").parse(answer, quiet) == (task("si").gold(quiet), "ok")


def test_several_speakers_pronouns_and_phrases_speak() -> None:
    context = "她和门口那个卖花的老人同时说：“雨停了。”"
    speakers = [{"text": "她", "start": 0}, {"text": "门口那个卖花的老人", "start": 2}]
    both = si(context=context, utterance_start=16, utterance_end=20, speakers=speakers)
    assert task("si").check(both) is None
    assert task("si").gold(both) == ["她", "门口那个卖花的老人"]
    assert task("si").parse("她、门口那个卖花的老人", both) == (task("si").gold(both), "ok")
    assert task("si").example(both).answers == ((0, 1), (2, 11))  # type: ignore[union-attr]


@given(st.sampled_from(NAMES), st.text())
def test_no_answer_of_an_llm_raises(name: str, answer: str) -> None:
    _, status = task(name).parse(answer, EXAMPLES[name])
    assert status in ("ok", "empty", "refused", "unparsable")


@given(st.text(alphabet="天地人我你他吃饭了吗", min_size=1), st.data())
def test_marked_pronouns_are_read_back_where_they_stand(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    form = data.draw(st.sampled_from(FORMS))
    answer = f"{text[:offset]}<{form}>{text[offset:]}"
    assert task("zpr").parse(answer, zpr(text=text)) == ([(offset, form)], "ok")


def test_an_unknown_task_names_the_nearest() -> None:
    with pytest.raises(DiscoError, match="did you mean 'zpr'"):
        task("zprr")


def test_helpers() -> None:
    assert commonest(["b", "a", "b", "a"]) == "a"
    assert strip_quotes(" “你好” ") == "你好"
    assert strip_quotes("”") == "”"


def test_a_task_that_says_too_little_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("discobench.tasks.nt.NovelTranslation.metrics")
    with pytest.raises(DiscoError, match=r"nt\.py: NovelTranslation has no metrics; add them"):
        task("nt")


class EnglishInfilling(TextInfilling):
    languages = ("en", "en")


def test_sentences_stand_in_a_row_as_their_language_has_them() -> None:
    chinese = {"before": ["甲。", "乙。"], "target": "丙。", "after": ["丁。", "戊。"]}
    english = {"before": ["One.", "Two."], "target": "Three.", "after": ["Four.", "Five."]}
    assert task("ti").source(chinese) == f"甲。乙。{GAP}丁。戊。"
    assert task("ti").fields(chinese) == {"before": "甲。乙。", "after": "丁。戊。"}
    assert EnglishInfilling().source(english) == f"One. Two. {GAP} Four. Five."
    assert EnglishInfilling().fields(english) == {"before": "One. Two.", "after": "Four. Five."}
