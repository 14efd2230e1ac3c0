"""A masked language model learns what only attention tells: hidden words that follow from their neighbours."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.pretrain.packed import write_packed
from tests.pretrain.texts import TRAINING

pytestmark = [pytest.mark.torch, pytest.mark.slow]
WORDS = "天地玄黄宇宙洪荒日月盈昃辰宿列张"
ENTROPY = math.log(len(WORDS))
"""Nats of a word that is known by its frequency alone: each is as frequent as any other."""
LEARNING = TRAINING | {"steps": 250, "batch_size": 16, "dropout": 0.0, "schedule": "constant", "save_every": 250}


def rows(known: list[int], number: int, ordered: bool) -> list[list[int]]:
    """Rows of different lengths: the words one after another as ``WORDS`` has them, over and over, or by lot."""
    rng = np.random.default_rng(number)
    found = []
    for size in rng.integers(8, 25, number):
        follows = (rng.integers(len(known)) + np.arange(size)) % len(known)
        drawn = rng.integers(0, len(known), size)
        found.append([known[n] for n in (follows if ordered else drawn)])
    return found


def learned(folder: Path, ordered: bool) -> float:
    """Held-out loss, in nats a hidden word."""
    import torch

    from discobench.models import family
    from discobench.models.learners.loading import tokenizer_of
    from discobench.pretrain.program import Task, continue_pretraining, plan_of

    torch.set_num_threads(1)
    base, out, packed = (folder / name for name in ("base", "out", "packed"))
    family("encoder").tiny(base, [WORDS], {"hidden": 64, "vocabulary": 100, "language": "zh", "positions": 64}, 1)
    known = tokenizer_of(base).convert_tokens_to_ids(list(WORDS))
    out.mkdir()
    packed.mkdir()
    splits = {name: (rows(known, n, ordered), [0] * n) for name, n in (("train", 2000), ("valid", 200))}
    task = Task("encoder", base, write_packed(packed, splits, ["zh"]), {"zh": "zh"}, {}, 0.15, LEARNING)
    plan = plan_of(LEARNING, 1, "fp32")
    losses: dict[str, Any] = continue_pretraining(task, plan, folder / "state", torch.device("cpu"), out)[1]["losses"]
    return float(losses["valid_after"])


def test_hidden_words_are_known_by_their_neighbours(tmp_path: Path) -> None:
    assert learned(tmp_path, ordered=True) < 0.1 * ENTROPY


def test_hidden_words_without_such_neighbours_stay_unknown(tmp_path: Path) -> None:
    """The tenth of them that is left as it was is all that can be known: nothing else of what is hidden leaks."""
    assert learned(tmp_path, ordered=False) > 0.75 * ENTROPY
