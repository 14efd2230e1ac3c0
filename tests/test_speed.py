"""What training says of its speed, and models that recompute."""

from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = [pytest.mark.torch]


def test_the_share_of_the_gpu_is_work_over_what_it_can_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand tokens in two seconds, each with 6 N operations and 12 L H for each of 8 tokens attended to."""
    from torch import nn

    from discobench import speed

    clock = iter([0.0, 2.0, 2.0])
    monkeypatch.setattr(speed.time, "monotonic", lambda: next(clock))
    model: Any = nn.Linear(9, 10)
    model.config = SimpleNamespace(n_layer=2, n_embd=5)
    told = speed.Speed(1, peak=1e6).tell(1, 0.5, 1000, speed.work(model).of(1000, 8.0))
    assert told is not None
    assert told["tokens/s"] == 500
    assert told["mfu 6N"] == pytest.approx(500 * 6 * 100 / 1e6)
    assert told["mfu"] == pytest.approx(500 * (600 + 12 * 2 * 5 * 8) / 1e6)


def test_operations_of_rows_are_counted_on_both_sides() -> None:
    """Two layers below, three above, width five: pairs are n² below, m² and m n above."""
    from torch import nn

    from discobench.speed import Operations

    model: Any = nn.ModuleList([nn.Linear(2, 3), nn.Linear(4, 5)])
    model.config = SimpleNamespace(encoder_layers=2, decoder_layers=3, d_model=5)
    model.get_encoder, model.get_decoder = (lambda: model[0]), (lambda: model[1])
    weights, attention = Operations(model).of([3, 2], [4, 1])
    assert weights == 6 * (9 * (3 + 2) + 25 * (4 + 1))
    assert attention == 12 * 5 * (2 * (9 + 4) + 3 * (16 + 12 + 1 + 2))
    model.config = SimpleNamespace(num_hidden_layers=2, hidden_size=5)
    assert Operations(model).of([3, 2]) == (6 * 34 * 5, 12 * 5 * 2 * 13)


def test_without_a_known_gpu_there_is_no_share() -> None:
    import torch

    from discobench import speed

    assert speed.peak(torch.device("cpu")) is None
    told = speed.Speed(1, None).tell(1, 0.5, 10)
    assert told is not None and "mfu" not in told


@pytest.mark.slow
def test_recomputing_changes_no_gradient() -> None:
    import torch
    from transformers import BertConfig, BertForMaskedLM

    from discobench.trainer import Plan, prepare
    from tests.toy_training import PLAN

    def gradient(recompute: bool) -> tuple[torch.Tensor, bool]:
        torch.manual_seed(1)
        sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
        model = BertForMaskedLM(BertConfig(vocab_size=20, **sizes))
        prepare(model, Plan(steps=1, keep_best=False, recompute=recompute, **PLAN))  # type: ignore[arg-type]
        model.train()
        torch.manual_seed(2)
        model(input_ids=torch.arange(10)[None], labels=torch.arange(10)[None]).loss.backward()
        found = model.bert.embeddings.word_embeddings.weight.grad
        assert found is not None
        return found, bool(model.is_activation_checkpointing)

    (plain, off), (again, on) = gradient(False), gradient(True)
    assert (off, on) == (False, True)
    assert torch.allclose(plain, again, atol=1e-6)
