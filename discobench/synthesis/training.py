"""A very small stanza pipeline (tokenize, pos, constituency) learned from a treebank.

The parts are stanza's own, trained by stanza's own trainers, only narrower and shorter than the
published ones. The folder has stanza's layout: ``<folder>/en/<processor>/<PACKAGE>.pt``.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from discobench.files import write_json, write_text
from discobench.synthesis.treebank import read_treebank, vector_text, word_vectors, write_training_files

PACKAGE = "treebank"
PARTS = ("tokenize", "pos", "constituency", "pretrain")
BATCH = 16

TOKENIZER = "--emb_dim 16 --hidden_dim 24 --dropout 0.2 --lr0 0.01 --no_use_mwt --batch_size 16 --max_seqlen 120"
TAGGER = (
    "--hidden_dim 48 --char_hidden_dim 32 --deep_biaff_hidden_dim 48 --composite_deep_biaff_hidden_dim 24 "
    "--word_emb_dim 24 --char_emb_dim 16 --tag_emb_dim 8 --transformed_dim 24 --num_layers 1 --batch_size 32 "
    "--dropout 0.2 --word_dropout 0.1 --augment_nopunct 0 --no_second_optim --lr 0.01 --fix_eval_interval"
)
PARSER = (
    "--hidden_size 64 --delta_embedding_dim 32 --tag_embedding_dim 16 --transition_hidden_size 16 "
    "--transition_embedding_dim 16 --num_lstm_layers 1 --no_retag --no_multistage --optim adamw "
    "--learning_rate 0.003 --no_checkpoint --no_condense_output_layers --no_strict_check_constituents "
    "--oracle_initial_epoch 1000 --eval_batch_size 100"
)


def train_parser(treebank: Path, folder: Path, steps: int, seed: int) -> dict[str, float]:
    """Train on ``train.mrg`` and ``dev.mrg`` into ``folder``; returns stanza's figures on dev.

    ``steps`` is the number of optimiser steps of each part. Raises DiscoError when the treebank is
    missing or unreadable.
    """
    import torch

    torch.set_num_threads(1)
    trees = {name: read_treebank(treebank / f"{name}.mrg") for name in ("train", "dev")}
    with TemporaryDirectory() as scratch:
        work = Path(scratch)
        for name, sentences in trees.items():
            write_training_files(name, sentences, work)
        _pretrain(work, folder, [tree.words() for tree in trees["train"]], seed)
        _tokenizer(work, folder, steps, seed)
        _tagger(work, folder, steps, seed)
        score = _parser(work, folder, max(1, round(steps * BATCH / len(trees["train"]))), seed)
        for part in PARTS:
            _settle(_model(folder, part), work, folder)
    write_json(folder / "resources.json", _resources(folder))
    return {"bracket_f1": score}


def _settle(path: Path, *folders: Path) -> None:
    """Write a trained part again without what differs between two equal trainings."""
    import torch

    part = settled(torch.load(path, weights_only=True, map_location="cpu"), [f"{folder}/" for folder in folders])
    with TemporaryDirectory(dir=path.parent) as scratch:
        torch.save(part, Path(scratch) / path.name)
        (Path(scratch) / path.name).replace(path)


def settled(value: Any, folders: list[str]) -> Any:
    """``value`` without the names of folders and with the parser's set of rare words in order."""
    if isinstance(value, str):
        for folder in folders:
            value = value.replace(folder, "")
    if not isinstance(value, dict):
        return value
    known = {key: settled(item, folders) for key, item in value.items()}
    return known | {key: sorted(known[key]) for key in known.keys() & {"rare_words"}}


def _pretrain(work: Path, folder: Path, sentences: list[list[str]], seed: int) -> None:
    from stanza.models.common.pretrain import Pretrain

    write_text(work / "vectors.txt", vector_text(*word_vectors(sentences, seed)))
    Pretrain(str(_model(folder, "pretrain")), str(work / "vectors.txt")).load()


def _tokenizer(work: Path, folder: Path, steps: int, seed: int) -> None:
    from stanza.models import tokenizer

    write_json(work / "mwt.json", [])
    tokenizer.main(
        [
            *_shared(folder, "tokenize", seed),
            *("--shorthand", "en_treebank", "--steps", str(steps), "--eval_steps", str(steps // 2)),
            *("--txt_file", str(work / "train.txt"), "--label_file", str(work / "train.labels")),
            *("--dev_txt_file", str(work / "dev.txt"), "--dev_label_file", str(work / "dev.labels")),
            *("--mwt_json_file", str(work / "mwt.json"), "--conll_file", str(work / "tokens.conllu")),
            *TOKENIZER.split(),
        ]
    )


def _tagger(work: Path, folder: Path, steps: int, seed: int) -> None:
    from stanza.models import tagger

    tagger.main(
        [
            *_shared(folder, "pos", seed),
            *("--shorthand", "en_treebank", "--max_steps", str(steps), "--eval_interval", str(max(1, steps // 4))),
            *("--wordvec_pretrain_file", str(_model(folder, "pretrain"))),
            *("--train_file", str(work / "train.conllu"), "--eval_file", str(work / "dev.conllu")),
            *TAGGER.split(),
        ]
    )


def _parser(work: Path, folder: Path, epochs: int, seed: int) -> float:
    from stanza.models import constituency_parser
    from stanza.models.constituency import parser_training

    with patch.object(parser_training, "EvaluateParser", Brackets):
        constituency_parser.main(
            [
                *_shared(folder, "constituency", seed),
                *("--shorthand", "en_treebank", "--epochs", str(epochs), "--epoch_size", "0"),
                *("--train_batch_size", str(BATCH), "--wordvec_pretrain_file", str(_model(folder, "pretrain"))),
                *("--train_file", str(work / "train.mrg"), "--eval_file", str(work / "dev.mrg")),
                *PARSER.split(),
            ]
        )
    return Brackets.best


def _resources(folder: Path) -> dict[str, Any]:
    """What stanza wants to know of a folder of models: packages, and which part needs the vectors."""
    needs = [{"model": "pretrain", "package": PACKAGE}]
    parts = {part: {PACKAGE: _entry(folder, part, needs if part in ("pos", "constituency") else [])} for part in PARTS}
    return {"en": {"lang_name": "English", **parts, "packages": {"default": dict.fromkeys(PARTS[:3], PACKAGE)}}}


def _entry(folder: Path, part: str, needs: list[dict[str, str]]) -> dict[str, Any]:
    digest = hashlib.md5(_model(folder, part).read_bytes(), usedforsecurity=False).hexdigest()
    return {"md5": digest, **({"dependencies": needs} if needs else {})}


def _shared(folder: Path, part: str, seed: int) -> list[str]:
    path = _model(folder, part)
    path.parent.mkdir(parents=True, exist_ok=True)
    return ["--lang", "en", "--cpu", "--seed", str(seed), "--save_dir", str(path.parent), "--save_name", path.name]


def _model(folder: Path, part: str) -> Path:
    return folder / "en" / part / f"{PACKAGE}.pt"


class Brackets:
    """Labelled bracket F1 in the place of stanza's evaluator, which needs Java and CoreNLP."""

    best = 0.0

    def __init__(self, **_: Any) -> None:
        Brackets.best = 0.0

    def __enter__(self) -> "Brackets":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def process(self, results: Iterable[Any]) -> SimpleNamespace:
        """Score parses the way stanza reads scores: ``f1`` in [0, 1]."""
        pairs = [(_brackets(result.gold), _brackets(result.predictions[0].tree)) for result in results]
        found = sum((gold & guess).total() for gold, guess in pairs)
        total = sum(gold.total() + guess.total() for gold, guess in pairs)
        f1 = 2 * found / total if total else 0.0
        Brackets.best = max(Brackets.best, f1)
        return SimpleNamespace(f1=f1, kbestF1=None, treeF1=[], HasField=lambda name: False)


def _brackets(tree: Any) -> Counter[tuple[str, int, int]]:
    """Spans of a stanza tree, without the root and the tags (the Parseval convention)."""
    from discobench.synthesis.trees import read_tree

    root = read_tree(str(tree))
    return Counter((n.label, n.start, n.end) for n in root.walk() if n.word is None and n.parent is not None)
