"""What models wrap around an answer is taken off, for each task; what they say of themselves is no answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.tasks import task
from discobench.tasks.answers import bare, quoted, refuses, strip_quotes
from tests.decode.instances import FIELDS, record

WRAPPED = [
    "{}",
    " {}\n",
    "```\n{}\n```",
    "```text\n{}\n```\n",
    "Here is the answer:\n\n{}",
    "Sure! Here's the translation you asked for:\n```\n{}\n```",
    "好的，以下是答案：\n{}",
    "**Answer:** {}",
    "**{}**",
    "Answer: {}",
    "答案：{}",
    "译文: {}",
    '{{"answer": "{}"}}',
    '```json\n{{"answer": "{}", "confidence": "high"}}\n```',
    "<think>Let me see: 答案：C.\n</think>\n\n{}",
    "It must be B.</think>{}",
    "{}\n\nNote: this follows the passage.",
    "{}\n\n（注：依据原文。）",
    "{}\n\n**Explanation:** The passage says so.",
]
ANSWERS: dict[str, tuple[str, Any]] = {
    "si": ("阿青", ["阿青"]),
    "zpr": ("<他>坐下了。", [(0, "他")]),
    "mrc": ("B", 1),
    "nt": ("It is dark.", "It is dark."),
    "cct": ("天色已经黑了。", "天色已经黑了。"),
    "pt": ("The sky darkens.", "The sky darkens."),
    "te": ("He left without a word.", "He left without a word."),
    "ti": ("他推开了门。", "他推开了门。"),
    "tc": ("风起了。雨来了。人散了。灯灭了。", "风起了。雨来了。人散了。灯灭了。"),
}


@pytest.mark.parametrize("form", WRAPPED)
@pytest.mark.parametrize("name", FIELDS)
def test_what_is_around_an_answer_is_taken_off(name: str, form: str) -> None:
    given, expected = ANSWERS[name]
    assert task(name).parse(form.format(given), record(name, 0)) == (expected, "ok")


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("Ｂ", 1),
        ("b", 1),
        ("(b)", 1),
        ("【Ｂ】", 1),
        ("B. 雨", 1),
        ("B、雨", 1),
        ("答案：Ｂ", 1),
        ("答案是（B）。", 1),
        ("正确答案为“Ｂ”", 1),
        ("故选B，因为A与原文不符。", 1),
        ("选B", 1),
        ("The correct answer is **B**, since A is not mentioned.", 1),
        ("Not A, but B.", 1),
        ("答案不是A，而是B。", 1),
        ("A 不对，答案：B", 1),
        ("A close reading shows that B is right.", 1),
        ("A", 0),
        ("A because a passage says so", 0),
        ('{"answer": "B", "reason": "it rains"}', 1),
        ("文中说下雨了，所以是雨", 1),
    ],
)
def test_letters_are_found_in_sentences(answer: str, index: int) -> None:
    assert task("mrc").parse(answer, record("mrc", 0)) == (index, "ok")


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("说话人：“阿青”", ["阿青"]),
        ("阿青。", ["阿青"]),
        ("是阿青说的。", ["阿青"]),
        ("The speaker is 阿青.", ["阿青"]),
        ("阿青\n\n因为前文说“阿青说”，所以是他。", ["阿青"]),
        ("阿青\nExplanation: the text says so, and nobody else is there.", ["阿青"]),
        ("- 阿青\n- 阿宁", ["阿青", "阿宁"]),
        ("1. 阿青\n2. 阿宁", ["阿青", "阿宁"]),
        ("阿青和阿宁", ["阿青", "阿宁"]),
        ("阿青 and 阿宁", ["阿青", "阿宁"]),
        ('["阿青", "阿宁"]', ["阿青", "阿宁"]),
        ('{"speakers": ["阿青", "阿宁"]}', ["阿青", "阿宁"]),
    ],
)
def test_names_are_found_in_sentences_and_lists(answer: str, names: list[str]) -> None:
    both = record("si", 0, context="雨停了。“走吧。”阿青说。阿宁也说。")
    assert task("si").parse(answer, both) == (names, "ok")


def test_a_name_with_a_conjunction_in_it_is_one_name() -> None:
    asked = record("si", 0, context="“走吧。”和尚说。")
    assert task("si").parse("和尚", asked) == (["和尚"], "ok")


@pytest.mark.parametrize(
    ("answer", "zeros"),
    [
        ("＜他＞坐下了。", [(0, "他")]),
        ("〈他〉坐下了", [(0, "他")]),
        ("“<他>坐下了。”", [(0, "他")]),
        ("**<他>**坐下了。", [(0, "他")]),
        ("<他> 坐下了。", [(0, "他")]),
        ("Sentence: <他>坐下了。", [(0, "他")]),
        ("<他>坐下了。\n这里省略了主语“他”。", [(0, "他")]),
        ("分析如下。\n<他>坐下了。", [(0, "他")]),
        ("坐下了。", []),
        ("None.", []),
        ("“无”", []),
        ("没有省略代词。", []),
        ("No pronoun is left out.", []),
    ],
)
def test_marked_sentences_are_found(answer: str, zeros: list[tuple[int, str]]) -> None:
    assert task("zpr").parse(answer, record("zpr", 0)) == (zeros, "ok")


def test_a_pronoun_after_the_end_of_the_sentence_is_in_no_gap() -> None:
    assert task("zpr").parse("坐下了。<他>", record("zpr", 0, text="坐下了")) == ([], "ok")


def test_speech_keeps_its_quotation_marks() -> None:
    speech = record("nt", 0, source_text="“走吧。”")
    assert task("nt").parse("“Let us go.”", speech) == ("“Let us go.”", "ok")
    assert task("nt").parse("“Go,” he said, “now.”", record("nt", 0)) == ("“Go,” he said, “now.”", "ok")


REFUSALS = [
    "I'm sorry, but I can't assist with that request.",
    "I’m sorry, but I cannot translate this text.",
    "Sorry, I am unable to provide the continuation.",
    "I cannot assist with this.",
    "As an AI language model, I do not have access to the passage.",
    "抱歉，我无法提供该内容的翻译。",
    "很抱歉，我不能回答这个问题。",
    "对不起，我无法续写这段文字。",
    "作为一个人工智能语言模型，我没有立场。",
    "<think>Is this allowed?</think>I'm sorry, I can't help with that.",
]


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("answer", REFUSALS)
def test_refusals_are_told_apart(name: str, answer: str) -> None:
    value, status = task(name).parse(answer, record(name, 0))
    assert (value or None, status) == (None, "refused")


@pytest.mark.parametrize(
    "text",
    [
        "“I'm sorry, but I can't help you,” he said.",
        "I'm sorry for your loss.",
        "I cannot translate the silence of that night.",
        "对不起，他说，我来晚了。",
        "我无法忘记那个夜晚。",
        "抱歉，我来晚了。",
    ],
)
def test_novels_may_be_sorry(text: str) -> None:
    assert not refuses(text)
    assert task("tc").parse(text, record("tc", 0))[1] == "ok"


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("answer", ["", " \n", "```\n```", "<think>and then", "<think>hm</think>", "Answer:"])
def test_nothing_is_empty(name: str, answer: str) -> None:
    value, status = task(name).parse(answer, record(name, 0))
    assert (value or None, status) == (None, "empty")


@given(st.text())
def test_bare_ends_and_is_stable(text: str) -> None:
    assert bare(bare(text)) == bare(bare(bare(text)))


def test_quotation_marks_around_the_whole() -> None:
    assert quoted("“你好”") and quoted("「“你”好」") and quoted('"a"')
    assert not quoted("“一”和“二”") and not quoted('"a" and "b"') and not quoted("”") and not quoted("")
    assert strip_quotes(" “你好” ") == "你好" and strip_quotes("“一”和“二”") == "“一”和“二”"
