"""Real literature: a model that has read other texts knows an unread novel better after another novel."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.pretrain.packed import write_packed

pytestmark = [pytest.mark.data, pytest.mark.slow, pytest.mark.torch]
PIECE, PIECES, UNREAD = 200, 400, 30
TRAINING: dict[str, Any] = {
    **{"learning_rate": 3e-3, "batch_size": 16, "batch_unit": "sequences", "max_length": 64, "steps": 40, "warmup": 5},
    **{"schedule": "linear", "betas": [0.9, 0.98], "weight_decay": 0.01, "dropout": 0.0, "clip": 1.0},
    **{"save_every": 40, "keep_best": True},
}


def pieces(name: str, encoding: str = "utf-8") -> list[str]:
    """The first pieces of a text after what stands before it."""
    text = (Path(os.environ["DISCOBENCH_PUBLIC_DATA"]) / name).read_text(encoding)
    bare = "".join(text.split())[5000:] or "".join(text.split())
    return [bare[start : start + PIECE] for start in range(0, len(bare), PIECE)][:PIECES]


def packed(folder: Path, base: Path, train: Sequence[str], valid: Sequence[str]) -> Path:
    from transformers import AutoTokenizer

    folder.mkdir()
    tokenizer = AutoTokenizer.from_pretrained(base)
    splits = [[tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts] for texts in (train, valid)]
    return write_packed(
        folder, {name: (s, [0] * len(s)) for name, s in zip(("train", "valid"), splits, strict=True)}, ["zh"]
    )


@pytest.mark.parametrize("family", ["gpt2", "encoder"])
def test_continued_pretraining_lowers_the_perplexity_of_an_unread_novel(family: str, tmp_path: Path) -> None:
    import torch

    from discobench.models import family as find
    from discobench.pretrain.program import Task, continue_pretraining, plan_of

    torch.set_num_threads(1)
    other = pieces("zpr/mzprt/raw/Baidu_knows.zh")
    read, unread = (pieces(f"corpus/zh_novel_classic/gb18030_liangwe/{n}.txt", "gb18030") for n in ("西游记", "红楼梦"))
    size = {"hidden": 64, "vocabulary": 3000, "language": "zh", "positions": 128}
    find(family).tiny(tmp_path / "drawn", [*other, *read], size, 1)
    novel = packed(tmp_path / "novel", tmp_path / "drawn", read, unread[:UNREAD])
    task = Task(
        family,
        tmp_path / "drawn",
        packed(tmp_path / "other", tmp_path / "drawn", other, unread[:UNREAD]),
        {"zh": "zh"},
        {},
        0.15,
        TRAINING,
    )
    found = []
    for name, given in (("base", task), ("disco", replace(task, base=tmp_path / "base", packed=novel))):
        (tmp_path / name).mkdir()
        plan = plan_of(TRAINING, 1, "fp32")
        _, facts = continue_pretraining(given, plan, tmp_path / f"state-{name}", torch.device("cpu"), tmp_path / name)
        found += [facts["losses"]["perplexity_before"], facts["losses"]["perplexity_after"]]
    drawn, base, again, disco = found
    assert again == pytest.approx(base, rel=1e-4)
    assert base < 0.7 * drawn
    assert disco < 0.8 * base
