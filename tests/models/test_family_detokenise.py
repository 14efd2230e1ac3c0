"""English from word pieces; no torch needed."""

import pytest

from discobench.models.learners.detokenise import detokenise

CASES = [
    ("he said , it ' s fine .", "he said, it's fine."),
    ("un ##believ ##able !", "unbelievable!"),
    ('" come in , " she said .', '"come in," she said.'),
    ("“ come in , ” she said .", "“come in,” she said."),
    ("a well - known ( old ) man", "a well-known (old) man"),
    ("他 说 ： “ 好 ， 我 走 。 ”", "他说：“好，我走。”"),
    ("我 有 3 本 book", "我有3本book"),
    ("", ""),
]


@pytest.mark.parametrize(("tokens", "text"), CASES)
def test_detokenise(tokens: str, text: str) -> None:
    assert detokenise(tokens.split()) == text


def test_a_leading_continuation_is_kept() -> None:
    assert detokenise(["##ing", "on"]) == "##ing on"
