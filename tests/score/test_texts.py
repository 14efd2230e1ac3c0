"""Metrics of texts against sacrebleu's own command and values worked out by hand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.files import write_text
from discobench.score.items import Item
from discobench.score.measure import Metric, NotRun, Options
from discobench.score.registry import MEASURES
from discobench.score.tools import OWN
from discobench.score.wordnet import DEBIAN, lexnames, prepare_wordnet

ZH = [
    ("雨停了，他推开窗，看见院子里的梨花落了一地。", "雨停了，他打开窗户，看到院里梨花落了满地。"),
    ("“你还走不走？”她问。", "她问：“你走不走？”"),
    ("没有人回答。", "没有人回答。"),
    ("船靠岸的时候，天已经黑了。", "船到岸时天黑了。"),
]
EN = [
    ("The rain had stopped, and he opened the window.", "The rain stopped and he pushed the window open."),
    ("Nobody answered her question.", "Nobody answered her."),
    ("It was dark when the boat reached the shore.", "It was already dark when the boat came to shore."),
    ("Pear blossoms lay all over the yard.", "The yard was covered with pear blossoms."),
]


def items(pairs: list[tuple[str, str]], *, group: int = 2) -> list[Item]:
    return [Item(f"s:w:{n}", [gold], found, f"d{n // group}", {}) for n, (gold, found) in enumerate(pairs)]


def shuffled(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Every prediction beside the gold of another instance."""
    return [(gold, text) for (gold, _), (_, text) in zip(pairs, pairs[1:] + pairs[:1], strict=True)]


def score(metric: str, pairs: list[tuple[str, str]], language: str, nltk_data: str = "") -> Metric:
    return MEASURES["text", metric](items(pairs), Options(language, bootstrap=50, seed=7, nltk_data=nltk_data))


def sacrebleu(folder: Path, pairs: list[tuple[str, str]], *options: str) -> float:
    write_text(folder / "gold", "".join(gold + "\n" for gold, _ in pairs))
    write_text(folder / "found", "".join(found + "\n" for _, found in pairs))
    command = [
        sys.executable,
        "-m",
        "sacrebleu",
        str(folder / "gold"),
        "-i",
        str(folder / "found"),
        "-w",
        "6",
        *options,
    ]
    return float(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["score"])


@pytest.mark.parametrize(
    ("metric", "language", "options"),
    [
        ("bleu", "zh", ("-m", "bleu", "-tok", "zh")),
        ("bleu", "en", ("-m", "bleu", "-tok", "13a")),
        ("ter", "en", ("-m", "ter")),
        ("ter", "zh", ("-m", "ter")),
        ("ter-normalised", "zh", ("-m", "ter", "--ter-normalized", "--ter-asian-support")),
        ("ter-normalised", "en", ("-m", "ter", "--ter-normalized")),
    ],
)
def test_equal_to_the_command(tmp_path: Path, metric: str, language: str, options: tuple[str, ...]) -> None:
    pairs = ZH if language == "zh" else EN
    assert score(metric, pairs, language).value == pytest.approx(sacrebleu(tmp_path, pairs, *options), abs=1e-5)


def test_document_bleu_is_bleu_of_joined_lines(tmp_path: Path) -> None:
    joined = [tuple(" ".join(texts) for texts in zip(*EN[i : i + 2], strict=True)) for i in (0, 2)]
    metric = score("d-bleu", EN, "en")
    assert metric.value == pytest.approx(sacrebleu(tmp_path, joined, "-m", "bleu"), abs=1e-5)  # type: ignore[arg-type]
    assert metric.n == 2
    assert list(metric.instances) == ["d0", "d1"]
    assert metric.signature.startswith("unit:document|sacrebleu|BLEU|nrefs:1") and metric.signature.endswith(f"|{OWN}")


def test_several_references_take_the_best_of_each() -> None:
    good, bad = "He opened the window at once.", "A dog barks."
    both = [Item("s:w:0", [bad, good], good, "d", {})]
    metric = MEASURES["text", "bleu"](both, Options("en", 10, 1))
    assert metric.value == pytest.approx(100)
    assert metric.signature.startswith("sacrebleu|BLEU|nrefs:2")


@pytest.mark.parametrize("metric", ["bleu", "bleu-rare", "bleu-char", "bleu-word", "d-bleu", "ter", "ter-normalised"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_shuffled_predictions_are_worse(metric: str, language: str) -> None:
    pairs = ZH if language == "zh" else EN
    right, wrong = score(metric, pairs, language).value, score(metric, shuffled(pairs), language).value
    assert (wrong > right) if metric.startswith("ter") else (wrong < right)


@pytest.mark.parametrize("metric", ["dist2", "dist4"])
@given(st.permutations(range(len(ZH))))
def test_dist_does_not_know_whose_prediction_a_text_is(metric: str, order: list[int]) -> None:
    """Dist-n reads no reference: shuffled predictions cannot fall, and value and interval stay what they are."""
    mixed = [(gold, ZH[n][1]) for (gold, _), n in zip(ZH, order, strict=True)]
    right, wrong = score(metric, ZH, "zh"), score(metric, mixed, "zh")
    assert (wrong.value, wrong.n) == (right.value, right.n)
    assert wrong.ci95 == pytest.approx(right.ci95)


def test_chinese_is_one_word_to_ter_unless_normalised() -> None:
    pairs = [("他昨天晚上没有回家。", "他昨晚没有回家。")]
    assert score("ter", pairs, "zh").value == 100.0
    assert score("ter-normalised", pairs, "zh").value == pytest.approx(100 * 2 / 10)


def test_an_empty_prediction_counts() -> None:
    full, gap = score("bleu", EN, "en"), score("bleu", [*EN[:3], (EN[3][0], "")], "en")
    assert gap.n == full.n == 4
    assert gap.value < full.value
    assert gap.instances["s:w:3"] == 0
    assert score("ter", [*EN[:3], (EN[3][0], "")], "en").instances["s:w:3"] == 100


def test_distinct_ngrams_by_hand() -> None:
    pairs = [("", "甲乙甲乙"), ("", "甲乙丙"), ("", "")]
    metric = score("dist2", pairs, "zh")
    assert metric.value == pytest.approx(3 / 5)  # 甲乙 乙甲 甲乙 甲乙 乙丙
    assert metric.n == 3
    # Without each text in turn: 2/2, 2/3 and 3/5.
    spread = [1, 2 / 3, 3 / 5]
    half = 1.96 * (2 / 3 * sum((v - sum(spread) / 3) ** 2 for v in spread)) ** 0.5
    assert metric.ci95 == pytest.approx((3 / 5 - half, min(1, 3 / 5 + half)))
    assert score("dist4", pairs, "zh").value == 1.0
    assert score("dist2", pairs[:1], "zh").ci95 is None


def test_meteor_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(NotRun, match="make setup"):
        score("meteor", EN, "en", str(tmp_path))


@pytest.mark.slow
@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's wordnet-base is not installed")
def test_meteor_knows_synonyms_and_whose_text_it_is(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("nltk")
    prepare_wordnet(folder)
    gold = "she wore a red dress"
    same, synonym, other = (
        score("meteor", [(gold, text)], "en", str(folder)).value
        for text in (gold, "she wore a red frock", "she wore a red stone")
    )
    # Five matches in one chunk: F is 1, penalty 0.5 * (1/5)^3.
    assert same == pytest.approx(100 * (1 - 0.5 / 125))
    assert synonym == pytest.approx(same)
    assert other < synonym
    signature = score("meteor", [(gold, gold)], "en", str(folder)).signature
    assert "|wordnet:3.0|" in signature and signature.endswith(f"|{OWN}")
    for pairs, language in ((EN, "en"), (ZH, "zh")):
        assert score("meteor", shuffled(pairs), language, str(folder)).value < (
            score("meteor", pairs, language, str(folder)).value
        )


def test_lexnames_are_numbered() -> None:
    lines = lexnames().strip().split("\n")
    assert len(lines) == 45
    assert lines[3] == "03\tnoun.Tops\t1"
    assert lines[44] == "44\tadj.ppl\t3"
