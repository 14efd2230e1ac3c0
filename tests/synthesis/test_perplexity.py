"""N-gram perplexity: the shared normalisation, real lmplz, and a sum done by hand."""

import math
from pathlib import Path

import kenlm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.errors import DiscoError
from discobench.records import Balance
from discobench.synthesis import perplexity as module
from discobench.synthesis.filtering import judge
from discobench.synthesis.perplexity import build_model, fold_of, normalise, perplexity

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
    assert perplexity(model, "A b z") == pytest.approx(2 ** (8 / 4), rel=1e-4)
    assert perplexity(model, "") == math.inf


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


def test_lmplz_estimates_and_the_filter_drops_odd_sources(tmp_path: Path) -> None:
    counts = build_model(_texts(), tmp_path / "model.binary", 3, [], True, 200)
    model = kenlm.Model(str(tmp_path / "model.binary"))
    assert counts["lines"] == 59 and model.order == 3
    good, odd = _texts()[0], "zebra home slowly quartz of of of."
    rows = [{"id": str(n), "work_id": "w", "source_text": s, "target": good} for n, s in enumerate((good, odd))]
    balance = Balance("filter")
    kept, dropped = judge(rows, [model, model], 1e9, 2.0, balance)
    assert [row["id"] for row in kept] == ["0"] and [row["id"] for row in dropped] == ["1"]
    assert kept[0]["perplexity_source"] == kept[0]["perplexity_target"] < dropped[0]["perplexity_source"]
    assert judge(rows, [model], 1e-9, 2.0, balance)[1][0]["reason"].startswith("perplexity")


def test_the_same_texts_give_the_same_model(tmp_path: Path) -> None:
    for name in ("a", "b"):
        build_model(_texts(), tmp_path / name, 3, [0, 0, 1], True, 200)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_small_texts_without_fallback_and_missing_tools_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DiscoError, match="discount_fallback"):
        build_model(["a b c."], tmp_path / "m", 3, [], False, 200)
    with pytest.raises(DiscoError, match="add works"):
        build_model([], tmp_path / "m", 3, [], False, 200)
    monkeypatch.setattr(module, "TOOLS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DiscoError, match="make setup"):
        build_model(["a b."], tmp_path / "m", 3, [], True, 200)


def test_folds_part_works() -> None:
    folds = [fold_of(f"work {n}", 3) for n in range(300)]
    assert folds == [fold_of(f"work {n}", 3) for n in range(300)]
    assert all(60 < folds.count(f) < 140 for f in range(3))
