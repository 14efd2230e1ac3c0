"""Metrics that need a model, on models drawn here; COMET by a stand-in interpreter."""

import logging
import math
import stat
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from discobench import progress
from discobench.errors import DiscoError
from discobench.files import sha256, write_text
from discobench.score.comet import Comet, comet
from discobench.score.items import Item
from discobench.score.measure import NotRun, Options
from discobench.score.tools import OWN
from tests.support import ROOT

OPTIONS = Options("en", bootstrap=20, seed=1)
TEXTS = ["the rain stopped", "he opened the window and the rain stopped", "", "nobody answered"]


def items(texts: list[str]) -> list[Item]:
    return [
        Item(f"s:w:{n}", ["the rain stopped"], text, "d", {"source_text": "雨停了"}) for n, text in enumerate(texts)
    ]


def tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = sorted({word for text in TEXTS for word in text.split()})
    vocabulary = {word: n for n, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    model = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    model.pre_tokenizer = pre_tokenizers.Whitespace()
    model.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=model, **names).save_pretrained(folder)


def causal(folder: Path) -> Path:
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=8, n_embd=16, n_layer=2, n_head=2)).save_pretrained(folder)
    tokenizer(folder)
    return folder


@pytest.mark.torch
@pytest.mark.slow
def test_perplexity_equals_one_text_at_a_time(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from discobench.score.perplexity import CausalModel, perplexity

    folder = causal(tmp_path)
    metric = perplexity(folder, "tiny", torch.device("cpu"))(items(TEXTS), OPTIONS)
    model = CausalModel(folder, "cpu")
    loss, tokens = 0.0, 0
    for text in TEXTS:
        ids = torch.tensor([[2, *model.tokenizer(text, add_special_tokens=False)["input_ids"], 3]])
        for window in ids[0, 1:].split(7):
            whole = torch.cat([torch.tensor([2]), window])[None]
            loss += float(model.model(input_ids=whole, labels=whole).loss.detach()) * len(window)
            tokens += len(window)
    assert metric.value == pytest.approx(math.exp(loss / tokens), rel=1e-5)
    assert metric.n == 4
    assert tokens == 4 + 9 + 1 + 3
    made = f"model:tiny|per:token of the model|window:7|transformers:{version('transformers')}"
    assert metric.signature.endswith(f"{made}|{OWN}")


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Every step says how far it is each time."""
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", -1.0)
    caplog.set_level(logging.INFO, logger="root")


@pytest.mark.torch
@pytest.mark.slow
def test_bertscore_gives_an_empty_prediction_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, hurry: None
) -> None:
    torch = pytest.importorskip("torch")
    from transformers import BertConfig, BertModel

    from discobench.score.bertscore import bertscore

    folder = tmp_path / "bert512"  # a name that misleads the package
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=20, hidden_size=16, max_position_embeddings=16, **sizes)).save_pretrained(folder)
    tokenizer(folder)
    metric = bertscore(folder, None, "tiny", "cpu")(items(TEXTS), OPTIONS)
    assert metric.instances["s:w:0"] == pytest.approx(100, abs=1e-3)
    assert metric.instances["s:w:2"] == 0
    assert metric.value == pytest.approx(sum(metric.instances.values()) / 4)
    assert metric.n == 4
    assert "|layer:2|" in metric.signature
    tools = f"|bert-score:{version('bert-score')}|transformers:{version('transformers')}|{OWN}"
    assert metric.signature.endswith(tools)
    assert any(line.startswith("BERTScore: 1 of 1 batches (100%)") for line in caplog.messages)


def test_a_random_name_that_misleads_bertscore_is_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from discobench.score.bertscore import _scratch

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = iter(["xt5x", "fine"])
    monkeypatch.setattr(tempfile, "_get_candidate_names", lambda: names)
    with _scratch() as folder:
        assert [path.name for path in tmp_path.iterdir()] == [Path(folder).name] == ["tmpfine"]


def interpreter(folder: Path, program: str) -> Path:
    path = folder / "python"
    write_text(path, f"#!{sys.executable}\n{program}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


ANSWER = """
import json, sys
_, script, checkpoint, asked, answered, gpus, batch = sys.argv[1:]
lines = [json.loads(line) for line in open(asked, encoding="utf-8")]
print("a word of its own", *["batch"] * -(-len(lines) // int(batch)), sep="\\n")
with open(answered, "w", encoding="utf-8") as stream:
    stream.write(json.dumps({"unbabel-comet": "9.9"}) + "\\n")
    for line in lines[LOST:]:
        stream.write(json.dumps({"score": float(line["mt"] == line["ref"])}) + "\\n")
"""


def place(folder: Path, lost: int = 0) -> Comet:
    write_text(folder / "model.ckpt", "weights")
    python = interpreter(folder, ANSWER.replace("LOST", str(lost)))
    return Comet(str(python), folder / "comet.py", str(folder / "model.ckpt"), sha256(folder / "model.ckpt"))


def test_comet_joins_what_its_environment_answers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, hurry: None
) -> None:
    metric = comet(place(tmp_path))(items(TEXTS), OPTIONS)
    assert metric.value == 0.25
    assert "checkpoint:model.ckpt" in metric.signature
    assert metric.signature.endswith("|unbabel-comet:9.9")
    assert caplog.messages == ["a word of its own", "COMET: 1 of 1 batches (100%), 0 s left"]


def test_comet_of_shuffled_predictions_falls(tmp_path: Path) -> None:
    """Each prediction goes to COMET beside the reference and the source of its own id."""
    texts = ["the rain stopped", "nobody answered", "he opened the window"]
    own, other = (
        [Item(f"s:w:{n}", [gold], texts[n - turn], "d", {"source_text": "雨停了"}) for n, gold in enumerate(texts)]
        for turn in (0, 1)
    )
    measure = comet(place(tmp_path))
    assert (measure(own, OPTIONS).value, measure(other, OPTIONS).value) == (1.0, 0.0)


def test_comet_notices_lost_lines(tmp_path: Path) -> None:
    with pytest.raises(DiscoError, match="answered 3 of 4 lines"):
        comet(place(tmp_path, lost=1))(items(TEXTS), OPTIONS)


def test_comet_says_why_it_was_not_run(tmp_path: Path) -> None:
    known = place(tmp_path)
    for there, reason in (
        (Comet(known.python, known.script, None, None), "comet_checkpoint"),
        (Comet(str(tmp_path / "none"), known.script, known.checkpoint, known.sha256), "make setup-comet"),
        (Comet(known.python, known.script, known.checkpoint, None), "comet_sha256"),
    ):
        with pytest.raises(NotRun, match=reason):
            comet(there)


def test_comet_opens_no_unknown_checkpoint(tmp_path: Path) -> None:
    known = place(tmp_path)
    with pytest.raises(DiscoError, match="has sha256"):
        comet(Comet(known.python, known.script, known.checkpoint, "0" * 64))


@pytest.mark.comet
@pytest.mark.slow
def test_the_real_comet_scores_in_order(tmp_path: Path) -> None:
    python = str(ROOT / ".venvs/comet/bin/python")
    subprocess.run([python, str(ROOT / "tests/score/tiny_comet.py"), str(tmp_path / "model")], check=True)
    checkpoint = tmp_path / "model/checkpoints/model.ckpt"
    place = Comet(python, ROOT / "scripts/score/comet.py", str(checkpoint), sha256(checkpoint))
    (forward, versions), (backward, _) = place.scores(items(TEXTS)), place.scores(items(TEXTS)[::-1])
    assert "unbabel-comet:2" in versions and "|transformers:" in versions
    assert forward == pytest.approx(backward[::-1], abs=1e-5)
    assert len(set(forward)) == len(TEXTS)
