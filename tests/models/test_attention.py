"""Attention beside transformers' own, to the value and to the gradient, and what takes its place in a model."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from transformers.activations import NewGELUActivation  # noqa: E402
from transformers.integrations.sdpa_attention import sdpa_attention_forward  # noqa: E402

from discobench.models import family  # noqa: E402
from discobench.models.base import Settings  # noqa: E402
from discobench.models.learners import attention as module  # noqa: E402
from discobench.models.learners.attention import BLOCK, attention  # noqa: E402
from discobench.models.learners.loading import pretrained  # noqa: E402

BACK = SimpleNamespace(is_causal=True)
NEARLY_NONE = 1e-300
"""Dropout that is asked for and drops nothing."""


def drawn(length: int, rows: int = 2) -> list[Any]:
    generator = torch.Generator().manual_seed(length)
    shape = (rows, 3, length, 4)
    return [torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True) for _ in range(3)]


@pytest.mark.parametrize("length", [1, 5, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
@pytest.mark.parametrize("scaling", [None, 0.3])
def test_in_blocks_it_is_the_same(length: int, scaling: float | None) -> None:
    found = []
    for attend, dropout in ((attention, NEARLY_NONE), (sdpa_attention_forward, 0.0)):
        parts = drawn(length)
        output, _ = attend(BACK, *parts, None, dropout=dropout, scaling=scaling)
        (output * torch.arange(output.numel()).view(output.shape)).sum().backward()
        found.append([output.detach(), *(part.grad for part in parts)])
    for ours, theirs in zip(*found, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_dropout_keeps_the_mean_and_shows_nothing_of_what_comes_later() -> None:
    query, key, _ = drawn(2 * BLOCK)
    value = torch.eye(2 * BLOCK, dtype=torch.float64).expand(2, 3, -1, -1)
    torch.manual_seed(1)
    shares = attention(BACK, query, key, value, None, dropout=0.25)[0].transpose(1, 2)
    kept = shares[:, :, torch.ones(2 * BLOCK, 2 * BLOCK).tril().bool()]
    assert 0.23 < float((kept == 0).double().mean()) < 0.27
    assert not shares.triu(1).any()
    whole = attention(BACK, query, key, value, None, dropout=NEARLY_NONE)[0].transpose(1, 2)
    torch.testing.assert_close(kept[kept > 0], whole.expand_as(shares)[shares > 0] / 0.75)


@pytest.mark.parametrize(
    ("asks", "mask", "how"),
    [
        (SimpleNamespace(is_causal=False), None, {"dropout": 0.1}),
        (BACK, None, {"dropout": 0.0}),
        (BACK, None, {"dropout": 0.1, "is_causal": False}),
        (BACK, torch.ones(1, 1, 9, 9, dtype=torch.bool), {"dropout": 0.1}),
        (BACK, None, {"dropout": 0.1, "position_bias": torch.zeros(1, 3, 9, 9, dtype=torch.float64)}),
    ],
)
def test_all_else_is_transformers_own(asks: Any, mask: Any, how: dict[str, Any]) -> None:
    found = []
    for attend in (attention, sdpa_attention_forward):
        torch.manual_seed(3)
        found.append(attend(asks, *drawn(9), mask, **how)[0])
    assert torch.equal(*found)


def test_beams_share_what_is_known_of_their_source() -> None:
    query, (_, key, value) = drawn(1, rows=6)[0], drawn(7)
    apart = [part.repeat_interleave(3, dim=0) for part in (key, value)]
    ours, theirs = (attention(BACK, query, *parts, None)[0] for parts in ((key, value), apart))
    torch.testing.assert_close(ours, theirs)


def test_a_model_that_learns_is_computed_so_and_its_files_say_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import GPT2LMHeadModel

    calls: list[tuple[int, ...]] = []
    in_blocks = module._in_blocks
    monkeypatch.setattr(
        module, "_in_blocks", lambda q, *a, **k: (calls.append(tuple(q.shape)), in_blocks(q, *a, **k))[1]
    )
    family("gpt2").tiny(tmp_path / "base", ["山高月小，水落石出。"], {"language": "zh"}, 1)
    model = pretrained(GPT2LMHeadModel, tmp_path / "base", Settings("text", 64), 1)
    assert not any(isinstance(part, NewGELUActivation) for part in model.modules())
    ids = torch.arange(20).view(2, 10) % 7
    model.train()(input_ids=ids)
    assert calls == [(2, 2, 10, 32)] * 2
    theirs = GPT2LMHeadModel.from_pretrained(tmp_path / "base").eval()
    with torch.no_grad():
        torch.testing.assert_close(
            model.eval()(input_ids=ids).logits, theirs(input_ids=ids).logits, atol=1e-5, rtol=1e-5
        )
    model.save_pretrained(tmp_path / "saved")
    assert json.loads((tmp_path / "saved/config.json").read_text("utf-8"))["activation_function"] == "gelu_new"
