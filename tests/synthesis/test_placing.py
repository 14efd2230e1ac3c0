"""Pronouns moved by a language model: clauses, connectives, windows; with counted models and with KenLM."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.synthesis.alignment import aligned, chinese_tokens
from discobench.synthesis.lines import Line, line_of
from discobench.synthesis.perplexity import TOOLS, Estimate, build_model
from discobench.synthesis.placing import Placed, Refiner, Sentence, segmented
from discobench.synthesis.pronouns import load_pronouns
from discobench.synthesis.zeros import Synthesis, zeros_of

TABLE = load_pronouns(Path(__file__).parents[2] / "resources" / "zpr" / "pronouns.yaml")


class Likes:
    """A model in which each of some pairs of words gains one, and every word costs the same."""

    def __init__(self, *pairs: str) -> None:
        self.pairs = {tuple(pair.split(" ")) for pair in pairs}

    def score(self, sentence: str, bos: bool = True, eos: bool = True) -> float:
        words = ["<s>", *sentence.split(" "), "</s>"]
        return float(sum(pair in self.pairs for pair in pairwise(words)))

    def __contains__(self, word: str) -> bool:
        return True


def line(zh: str) -> Line:
    pair = {"id": "s:e:0", "source": "s", "work_id": "e", "language": "zh", "split": "train", "zh": zh, "en": "He"}
    return line_of(pair, aligned("s:e:0", [], [(0, 2)], set()))


def placed(zh: str, role: str, offset: int, *pairs: str, window: int = 4) -> Placed | str:
    return Refiner(Likes(*pairs), 0.5, window).place(line(zh), "他", role, offset, TABLE)


@pytest.mark.parametrize(
    ("zh", "role", "offset", "pairs", "expected"),
    [
        ("好，昨天没来。", "subject", 5, (), 4),
        ("好，没来。", "subject", 3, (), 2),
        ("但是没来", "subject", 3, (), 2),
        ("但是没来", "subject", 3, ("<s> 他", "他 但是"), 0),
        ("都没来", "subject", 2, ("都 他",), 1),
        ("妈妈来了", "possessive", 2, ("<s> 他",), 2),
        ("看见了", "object", 2, ("了 他", "他 </s>"), 3),
    ],
)
def test_syntax_prefers_a_place_and_the_model_another(
    zh: str, role: str, offset: int, pairs: tuple[str, ...], expected: int
) -> None:
    found = placed(zh, role, offset, *pairs)
    assert isinstance(found, Placed) and found.offset == expected


def test_a_clause_with_a_subject_takes_none_and_one_too_long_neither() -> None:
    assert placed("我们昨天来", "subject", 4) == "the clause has a subject"
    assert placed("花园 门口没来", "subject", 5, window=4) != "the clause has a subject"
    assert placed("都没来过这里", "subject", 4, window=1) == "too far from the start of its clause"


def test_a_clause_that_is_said_or_thought_starts_anew() -> None:
    found = placed("我想没来", "subject", 3)
    assert isinstance(found, Placed) and found.offset == 2
    told = placed("告诉她没来", "subject", 4)
    assert isinstance(told, Placed) and told.offset == 3


def test_every_candidate_has_its_gain_and_its_cost() -> None:
    found = Refiner(Likes("<s> 你们"), 0.5, 4).place(line("都来"), "你", "subject", 1, TABLE)
    assert isinstance(found, Placed)
    assert (found.offset, found.form, found.gain) == (0, "你们", 1.0)
    assert [(c.offset, c.form, c.gain, c.cost) for c in found.candidates] == [
        (0, "你", 0.0, 0.0),
        (0, "你们", 1.0, 0.0),
        (1, "你", 0.0, 0.5),
        (1, "你们", 0.0, 0.5),
    ]


@given(st.text("我们他来了花园，。 a1\u3000😀", max_size=12))
def test_words_and_marks_cover_all_but_blanks(text: str) -> None:
    spans = chinese_tokens(text)
    assert all(a < b for a, b in spans) and spans == sorted(spans)
    assert "".join("".join(text[a:b] for a, b in spans).split()) == "".join(text.split())
    sentence = Sentence(text)
    assert all(sentence.offsets[sentence.place(offset)] == offset for offset in sentence.offsets)


@pytest.mark.skipif(not (TOOLS / "lmplz").exists(), reason="KenLM's lmplz is not built")
def test_a_model_of_subtitles_learns_where_subjects_stand(tmp_path: Path) -> None:
    import kenlm

    texts = [segmented(text) for text in ("那我走了。", "那我来了。", "那他走了。", "那么大的门。", "走了。")] * 20
    build_model(texts, tmp_path / "model.binary", Estimate(3, [], True, 100, tmp_path))
    model = kenlm.Model(str(tmp_path / "model.binary"))
    zh = line("那走了。")
    found = Refiner(model, 0.0, 4).place(zh, "我", "subject", 1, TABLE)
    assert isinstance(found, Placed) and found.offset == 1 and len(found.candidates) == 2
    assert zeros_of(zh, Synthesis(TABLE, refiners=[Refiner(model, 0.5, 4)]), Counter()) == []
