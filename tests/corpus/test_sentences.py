"""Sentences: what ends one, what stays together, and that offsets are exact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.corpus.sentences import sentences

ABBREVIATIONS = frozenset({"Mr", "Dr"})

CASES = [
    ("zh", "“你在吗？”她问道。没有人答。", ["“你在吗？”", "她问道。", "没有人答。"]),
    ("zh", "他说：“走吧。我不等了！”门开了。", ["他说：“走吧。", "我不等了！”", "门开了。"]),
    ("zh", "我……我不知道。真的吗？！", ["我……我不知道。", "真的吗？！"]),
    ("zh", "天黑了……\n没有标点的一行\n　　下一段。", ["天黑了……", "没有标点的一行", "下一段。"]),
    ("zh", '他说"走吧。"她说"好。"', ['他说"走吧。"', '她说"好。"']),
    ("zh", '天亮了。"走吧。"', ["天亮了。", '"走吧。"']),
    ("zh", "他说“好。”，转身走了。“真的？”、“真的！”", ["他说“好。”，转身走了。", "“真的？”、“真的！”"]),
    ("en", "“Where?” she asked. Mr. Hale shrugged.", ["“Where?” she asked.", "Mr. Hale shrugged."]),
    ("en", "J. P. Holt left. It was I. She stayed.", ["J. P. Holt left.", "It was I.", "She stayed."]),
    ("en", '"Go home." He went... Then he came back!', ['"Go home."', "He went... Then he came back!"]),
    ("en", "It cost 3.50 in all. 20 men paid.", ["It cost 3.50 in all.", "20 men paid."]),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_sentences(language: str, text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text, language, ABBREVIATIONS)] == expected


@given(st.text(alphabet="ab A.!?…。！？”“\"'」） \n\u3000\u2028\U00020000"), st.sampled_from(["zh", "en"]))
def test_every_mark_lies_in_one_sentence(text: str, language: str) -> None:
    spans = sentences(text, language)
    covered = [place for start, end in spans for place in range(start, end)]
    assert covered == sorted(set(covered))
    rest = set(range(len(text))) - set(covered)
    assert all(text[place].isspace() for place in rest)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
