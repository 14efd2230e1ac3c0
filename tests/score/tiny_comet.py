"""Draw a very small COMET checkpoint into FOLDER; runs in COMET's own environment."""

import io
import sys
from pathlib import Path

import sentencepiece
import torch
import yaml
from comet.models import RegressionMetric
from transformers import XLMRobertaConfig, XLMRobertaModel, XLMRobertaTokenizerFast

TEXTS = ["the rain stopped and nobody answered", "he opened the window", "雨停了，没有人回答。", "他打开了窗户。"] * 5


def encoder(folder: Path) -> Path:
    """A random XLM-R with a vocabulary of its own."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS), model_writer=model, vocab_size=60, hard_vocab_limit=False, model_type="unigram"
    )
    folder.mkdir(parents=True)
    (folder / "sentencepiece.bpe.model").write_bytes(model.getvalue())
    tokenizer = XLMRobertaTokenizerFast(vocab_file=str(folder / "sentencepiece.bpe.model"), model_max_length=64)
    tokenizer.save_pretrained(folder)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    XLMRobertaModel(XLMRobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=70, **sizes)).save_pretrained(
        folder
    )
    return folder


def main(folder: Path) -> None:
    """Write ``hparams.yaml`` and ``checkpoints/model.ckpt`` as COMET's own releases lay them out."""
    torch.manual_seed(1)
    model = RegressionMetric(
        encoder_model="XLM-RoBERTa", pretrained_model=str(encoder(folder / "encoder")), hidden_sizes=[8], layer="mix"
    )
    chosen = dict(model.hparams)
    text = yaml.safe_dump(chosen | {"class_identifier": "regression_metric"})
    (folder / "hparams.yaml").write_text(text, encoding="utf-8")
    (folder / "checkpoints").mkdir()
    stored = {"state_dict": model.state_dict(), "hyper_parameters": chosen, "pytorch-lightning_version": "2.0.0"}
    torch.save(stored, folder / "checkpoints/model.ckpt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
