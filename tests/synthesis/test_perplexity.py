"""N-gram perplexity: the shared normalisation, real lmplz, and a sum done by hand."""

import logging
import math
import re
from pathlib import Path

import kenlm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.synthesis import perplexity as module
from discobench.synthesis.filtering import Limits, judge, score
from discobench.synthesis.perplexity import Estimate, Measured, Perplexity, build_model, fold_of, normalise

# p(a)=1/2 p(b)=1/4 p(</s>)=1/4 p(<unk>)=1/8; no bigrams, so every probability is a unigram's.
ARPA = """\\data\\
ngram 1=5
ngram 2=1

\\1-grams:
-0.90309\t<unk>\t0
0\t<s>\t0
-0.60206\t</s>\t0
-0.30103\ta\t0
-0.60206\tb\t0

\\2-grams:
-0.30103\t<s> a

\\end\\
"""


def test_perplexity_is_the_sum_done_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "hand.arpa"
    path.write_text(ARPA, encoding="utf-8")
    model = kenlm.Model(str(path))
    # "a b z": 1/2, 1/4, 1/8 (unknown) and </s> 1/4: 2^-8 over four tokens.
    measured = Perplexity(model).of("A b z")
    assert measured == (pytest.approx(2 ** (8 / 4), rel=1e-4), 4, 1)
    assert Perplexity(model).of("") == Measured(math.inf, 0, 0)


class Counted:
    """A model that counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, sentence: str, bos: bool = True, eos: bool = True) -> float:
        self.asked.append(sentence)
        return -1.0

    def __contains__(self, word: str) -> bool:
        return True


def test_sentences_that_source_and_target_share_are_scored_once() -> None:
    model = Counted()
    rows = [{"id": "1", "work_id": "w", "source_text": "He ran. She sat.", "target": "He ran. She sat still."}]
    counts: dict[str, int] = {}
    (scored,) = score(rows, [model], counts)
    assert sorted(model.asked) == ["he ran .", "she sat .", "she sat still ."]
    assert (counts["tokens"], counts["unknown"]) == (9, 0)
    assert scored["source"] == pytest.approx(10 ** (2 / 8)) and scored["target"] == pytest.approx(10 ** (2 / 9))


def test_normalise_is_what_it_says() -> None:
    assert normalise("He didn’t go. “Stop!” she said <unk></s>now.") == [
        "he did n't go .",
        '" stop ! "',
        "she said now .",
    ]


@given(st.text(alphabet="ab <>/sunk.!?\"'\u2019_", max_size=40))
def test_reserved_words_never_come_out_and_normalising_again_changes_nothing(text: str) -> None:
    lines = normalise(text)
    assert not {"<s>", "</s>", "<unk>"} & {token for line in lines for token in line.split(" ")}
    assert normalise(" ".join(lines)) == lines


def _texts() -> list[str]:
    words = ["the", "old", "new", "boat", "river", "ran", "sank", "slowly", "home"]
    return [" ".join(words[(n * k) % 9] for k in range(1, 8)) + "." for n in range(1, 60)]


def _estimate(folder: Path, prune: list[int] | None = None, fallback: bool = True) -> Estimate:
    return Estimate(3, prune or [], fallback, 200, folder)


def test_lmplz_estimates_and_odd_sources_score_worse(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    counts = build_model(_texts(), tmp_path / "model.binary", _estimate(tmp_path))
    model = kenlm.Model(str(tmp_path / "model.binary"))
    assert counts["lines"] == 59 and model.order == 3
    assert [path.name for path in tmp_path.iterdir()] == ["model.binary"]
    said = [text for text in caplog.messages if re.search(r"lmplz: === \d/5 ", text)]
    assert len(said) == 5  # steps, each with a bar of its own
    good, odd = _texts()[0], "zebra home slowly quartz of of of."
    rows = [{"id": str(n), "work_id": "w", "source_text": s, "target": good} for n, s in enumerate((good, odd))]
    scored = list(score(rows, [model, model], {}))
    assert scored[0]["source"] == scored[0]["target"] < scored[1]["source"]


def test_a_work_is_scored_by_the_model_that_never_saw_it() -> None:
    models = [Counted(), Counted(), Counted()]
    rows = [{"id": w, "work_id": w, "source_text": f"{w} a.", "target": f"{w} b."} for w in ("one", "two", "three")]
    list(score(rows, models, {}))
    for row in rows:
        holders = [n for n, model in enumerate(models) if any(row["id"] in asked for asked in model.asked)]
        assert holders == [fold_of(row["work_id"], 3)]


def test_limits_decide_on_scores_that_are_there() -> None:
    rows = [{"id": name} for name in "abc"]
    found = [(90.0, 80.0), (300.0, 80.0), (2000.0, 1900.0)]
    scores = [{"id": row["id"], "source": s, "target": t} for row, (s, t) in zip(rows, found, strict=True)]
    judged = list(judge(rows, scores, Limits(1000.0, 2.0)))
    assert [row["decision"] for row in judged] == ["kept", "dropped", "dropped"]
    assert [row["reason"] for row in judged][1:] == [
        "source much odder than its target",
        "perplexity of the source above the limit",
    ]
    assert {row["decision"] for row in judge(rows, scores, Limits(3000.0, 4.0))} == {"kept"}
    assert judged[1]["perplexity_source"] == 300.0 and judged[1]["perplexity_target"] == 80.0
    with pytest.raises(DiscoError, match="rerun te_score"):
        list(judge(rows, scores[::-1], Limits(1.0, 1.0)))
    assert Limits(1e9, 2.0).reason(math.inf, math.inf) is not None


def test_the_same_texts_give_the_same_model(tmp_path: Path) -> None:
    for name in ("a", "b"):
        build_model(_texts(), tmp_path / name, _estimate(tmp_path, [0, 0, 1]))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_small_texts_without_fallback_and_missing_tools_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DiscoError, match="discount_fallback"):
        build_model(["a b c."], tmp_path / "m", _estimate(tmp_path, fallback=False))
    with pytest.raises(DiscoError, match=r"non-decreasing order.*look at order, prune"):
        build_model(["a b c."], tmp_path / "m", _estimate(tmp_path, [5, 1]))
    with pytest.raises(DiscoError, match="add works"):
        build_model([], tmp_path / "m", _estimate(tmp_path, fallback=False))
    monkeypatch.setattr(module, "TOOLS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DiscoError, match="make setup"):
        build_model(["a b."], tmp_path / "m", _estimate(tmp_path))


def test_reserved_words_of_lmplz_in_a_text_do_no_harm(tmp_path: Path) -> None:
    texts = [*_texts(), "The <s> old </s> boat <unk> ran."]
    build_model(texts, tmp_path / "m", _estimate(tmp_path))
    scorer = Perplexity(kenlm.Model(str(tmp_path / "m")))
    assert scorer.of("The <s> old boat ran.") == scorer.of("The old boat ran.")


def test_folds_part_works() -> None:
    folds = [fold_of(f"work {n}", 3) for n in range(300)]
    assert folds == [fold_of(f"work {n}", 3) for n in range(300)]
    assert all(60 < folds.count(f) < 140 for f in range(3))
