"""The same numbers as the reference tools, to the last digit that they print, on the same files."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobench.files import read_text, sha256, write_text
from discobench.score.answers import STRUCK, character_f1, common_run_f1
from discobench.score.comet import Comet
from discobench.score.items import Item
from discobench.score.measure import Options
from discobench.score.registry import MEASURES
from discobench.score.wordnet import DEBIAN, prepare_wordnet
from discobench.tasks.agreement import _alpha
from tests.score.test_models import TEXTS, tokenizer
from tests.support import ROOT

OUTPUTS = Path(os.environ.get("DISCOBENCH_PUBLIC_DATA", "")) / "nt" / "document_mt_llm"
SYSTEMS = ("format_3.chatgpt", "format_3.gpt-4", "format_4.deepl", "format_4.google", "format_4.tencent")
Pairs = list[tuple[str, str]]


def value(metric: str, pairs: Pairs, options: Options) -> float:
    rows = [Item(f"s:{n}", [gold], found, f"d{n}", {}) for n, (gold, found) in enumerate(pairs)]
    return MEASURES["text", metric](rows, options).value  # type: ignore[union-attr]


def sacrebleu(folder: Path, pairs: Pairs, *options: str) -> list[str]:
    """What sacrebleu's command prints with four decimals, a score for each metric."""
    for name, texts in zip(("gold", "found"), zip(*pairs, strict=True), strict=True):
        write_text(folder / name, "".join(text + "\n" for text in texts))
    command = [sys.executable, "-m", "sacrebleu", str(folder / "gold"), "-i", str(folder / "found"), "-w", "4"]
    found = json.loads(subprocess.run([*command, *options], check=True, capture_output=True, text=True).stdout)
    return [f"{entry['score']:.4f}" for entry in (found if isinstance(found, list) else [found])]


@pytest.mark.data
@pytest.mark.parametrize("system", SYSTEMS)
def test_document_bleu_of_real_systems(tmp_path: Path, system: str) -> None:
    references = [OUTPUTS / "_Dataset/Document_Level/Fiction" / f"{n}.en" for n in range(1, 5)]
    outputs = [OUTPUTS / "Fiction" / f"{n}.{system}.en" for n in range(1, 5)]
    pairs = [
        (read_text(gold).strip(), read_text(found).strip()) for gold, found in zip(references, outputs, strict=True)
    ]
    ours = f"{value('d-bleu', pairs, Options('en', 1, 1)):.4f}"
    assert [ours] == sacrebleu(tmp_path, pairs, "-m", "bleu")


def chatgpt(n: int) -> Pairs:
    """Sentences of a real translation."""
    gold, found = (
        read_text(path).rstrip("\n").split("\n")
        for path in (OUTPUTS / f"Orignal_Dataset/Fiction/{n}.en", OUTPUTS / f"P2/Fiction/{n}.format_2.en")
    )
    return [(a.strip(), b.strip()) for a, b in zip(gold, found, strict=True)]


@pytest.mark.data
@pytest.mark.slow
def test_sentences_of_a_real_system(tmp_path: Path) -> None:
    pairs = chatgpt(2)
    assert len(pairs) == 67
    ours = [f"{value(name, pairs, Options('en', 1, 1)):.4f}" for name in ("bleu", "ter")]
    assert ours == sacrebleu(tmp_path, pairs, "-m", "bleu", "ter")


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's wordnet-base is not installed")
def test_meteor_of_a_real_system_is_nltks(tmp_path: Path) -> None:
    pairs = chatgpt(2)
    prepare_wordnet(tmp_path)
    ours = value("meteor", pairs, Options("en", 1, 1, str(tmp_path)))
    from nltk.translate.meteor_score import single_meteor_score
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    parted = Tokenizer13a()
    scores = [single_meteor_score(parted(gold).split(), parted(found).split()) for gold, found in pairs]
    assert f"{ours:.4f}" == f"{100 * sum(scores) / len(scores):.4f}"


def test_rare_characters_are_words_of_their_own(tmp_path: Path) -> None:
    """Equal to the command where it knows every character, and to blanks put by hand where it does not."""
    options = Options("zh", 1, 1)
    usual = [("他推开窗，看见梨花落了一地。", "他打开窗，看到梨花落了满地。"), ("没有人回答3次。", "没有人回答。")]
    assert [f"{value('bleu-rare', usual, options):.4f}"] == sacrebleu(tmp_path, usual, "-tok", "zh")
    assert [f"{value('bleu-char', usual, options):.4f}"] == sacrebleu(tmp_path, usual, "-tok", "char")
    rare = [("其名曰𠀋𠀌鿃鿄也，人皆知之。", "其名曰𠀋𠀌鿃鿅也，人皆知之。")]
    apart = [("其名曰 𠀋 𠀌 鿃 鿄 也，人皆知之。", "其名曰 𠀋 𠀌 鿃 鿅 也，人皆知之。")]
    assert [f"{value('bleu-rare', rare, options):.4f}"] == sacrebleu(tmp_path, apart, "-tok", "zh")
    assert [f"{value('bleu', rare, options):.4f}"] == sacrebleu(tmp_path, rare, "-tok", "zh")
    assert value("bleu-rare", rare, options) != pytest.approx(value("bleu", rare, options))


def test_words_by_hand(tmp_path: Path) -> None:
    pairs = [("他们昨天没有回家", "他们昨天没有回来")]
    import rjieba

    words = [tuple(" ".join(rjieba.cut(text)) for text in pair) for pair in pairs]
    expected = sacrebleu(tmp_path, words, "-tok", "none")  # type: ignore[arg-type]
    assert [f"{value('bleu-word', pairs, Options('zh', 1, 1)):.4f}"] == expected


characters = st.text(alphabet="甲乙丙丁", min_size=1, max_size=8)


@given(characters, characters)
def test_f1_as_squad_defines_it(gold: str, found: str) -> None:
    """Precision and recall over the bag of shared tokens; the token is the character."""
    shared = sum(min(n, Counter(gold)[c]) for c, n in Counter(found).items())
    p, r = shared / len(found), shared / len(gold)
    assert character_f1([gold], [found]) == pytest.approx(2 * p * r / (p + r) if shared else 0.0)


@given(characters, characters)
def test_f1_as_cmrc_defines_it(gold: str, found: str) -> None:
    """Precision and recall of the longest common substring."""
    parts = {found[i:j] for i in range(len(found)) for j in range(i + 1, len(found) + 1)}
    run = max((len(part) for part in parts if part in gold), default=0)
    p, r = run / len(found), run / len(gold)
    assert common_run_f1([gold], [found]) == pytest.approx(2 * p * r / (p + r) if run else 0.0)


signed = st.text(alphabet="甲乙AaB·，…", max_size=4)


@given(signed, signed)
def test_exact_match_as_cmrc_defines_it(gold: str, found: str) -> None:
    """Lower case, without its list of signs (the dots are none of it)."""
    left, right = ("".join(c for c in text.lower() if ord(c) not in STRUCK) for text in (gold, found))
    items = [Item("s", [gold], [found], "d", {})]
    assert MEASURES["span", "em-run"](items, Options("zh", 1, 1)).value == 100 * (left == right)


def test_alpha_of_the_published_example() -> None:
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, data C: four observers, ordinal 0.815."""
    none = float("nan")
    data = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, none, none, none],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, none, 3],
        [none, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, none],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, none],
    ]
    found = _alpha(data)
    assert found is not None and round(found, 3) == 0.815


@pytest.mark.torch
@pytest.mark.slow
def test_bertscore_is_that_of_its_command_and_falls_when_shuffled(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from transformers import BertConfig, BertModel

    from discobench.score.bertscore import bertscore

    folder = tmp_path / "model"
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=20, hidden_size=16, max_position_embeddings=16, **sizes)).save_pretrained(folder)
    tokenizer(folder)
    config = json.loads(read_text(folder / "tokenizer_config.json")) | {"model_max_length": 16}
    write_text(folder / "tokenizer_config.json", json.dumps(config))
    found = [text for text in TEXTS if text]
    gold = [*found[1:], found[0]]
    write_text(tmp_path / "gold", "\n".join(gold))
    write_text(tmp_path / "found", "\n".join(found))
    asked = ["-r", str(tmp_path / "gold"), "-c", str(tmp_path / "found"), "-m", str(folder), "--num_layers", "2"]
    command = [str(Path(sys.executable).with_name("bert-score")), *asked]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    measure = bertscore(folder, 2, "tiny", "cpu")
    shuffled, right = (
        measure([Item(f"s:{n}", [a], b, "d", {}) for n, (a, b) in enumerate(pairs)], Options("en", 1, 1)).value
        for pairs in (zip(gold, found, strict=True), zip(found, found, strict=True))
    )
    assert f"F1: {shuffled / 100:.6f}" in printed
    assert shuffled < right == pytest.approx(100, abs=1e-3)


@pytest.mark.comet
@pytest.mark.slow
def test_comet_is_that_of_its_command(tmp_path: Path) -> None:
    python = ROOT / ".venvs/comet/bin/python"
    subprocess.run([str(python), str(ROOT / "tests/score/tiny_comet.py"), str(tmp_path / "model")], check=True)
    checkpoint = tmp_path / "model/checkpoints/model.ckpt"
    texts = ["the rain stopped", "he opened the window", "nobody answered"]
    for name, lines in {"src": ["雨停了"] * 3, "mt": texts, "ref": texts[::-1]}.items():
        write_text(tmp_path / name, "\n".join(lines) + "\n")
    files = ["-s", str(tmp_path / "src"), "-t", str(tmp_path / "mt"), "-r", str(tmp_path / "ref")]
    command = [str(python.with_name("comet-score")), *files, "--model", str(checkpoint), "--gpus", "0"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    place = Comet(str(python), ROOT / "scripts/score/comet.py", str(checkpoint), sha256(checkpoint))
    rows = [Item(f"s:{n}", [texts[2 - n]], text, "d", {"source_text": "雨停了"}) for n, text in enumerate(texts)]
    for score in place.scores(rows)[0]:  # the command keeps its scores in half precision
        assert f"score: {np.float16(score):.4f}" in printed
