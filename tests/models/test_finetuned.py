"""Log-probabilities come from a learner, or from a family's own program."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.torch, pytest.mark.slow]


def test_both_kinds_of_families(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from discobench.formulations import LogLikelihood, TextExample
    from discobench.models.base import Decoding, Family, Toolkit
    from discobench.models.finetuned import fine_tuned

    class Learner:
        model = torch.nn.Linear(1, 1)

        def log_likelihood(self, examples: Any, decoding: Any) -> Any:
            assert not self.model.training
            return [LogLikelihood(example.id, -1.0, 2) for example in examples]

    class Plain(Family):
        name, formulations = "plain", frozenset({"text"})

        def tiny(self, folder: Any, texts: Any, architecture: Any, seed: Any) -> None: ...

        def learner(self, folder: Any, settings: Any, seed: Any) -> Any:
            assert (folder, settings.formulation, settings.forms, seed) == (tmp_path, "text", (), 3)
            return Learner()

    class Program(Toolkit):
        name, formulations = "program", frozenset({"text"})

        def tiny(self, folder: Any, texts: Any, architecture: Any, seed: Any) -> None: ...

        def train(self, *arguments: Any) -> Any: ...

        def predict(self, *arguments: Any) -> Any: ...

        def log_likelihood(self, folder: Any, examples: Any, decoding: Any) -> Any:
            return [LogLikelihood(example.id, -9.0, 3) for example in examples]

    settings = {"formulation": "text", "max_length": 8, "forms": [], "options": {}}
    manifest = {"settings": settings, "seed": 3}
    asked = [TextExample("a#0", "雨", "zh", "en", "rain")]
    cpu = torch.device("cpu")
    scores = [
        fine_tuned(kind(), tmp_path, manifest, cpu).log_likelihood(asked, Decoding()) for kind in (Plain, Program)
    ]
    assert scores == [[LogLikelihood("a#0", -1.0, 2)], [LogLikelihood("a#0", -9.0, 3)]]


@pytest.mark.parametrize(
    ("family", "form"),
    [
        ("encoder", "span"),
        ("encoder", "gaps"),
        ("encoder", "choice"),
        ("bart", "text"),
        ("gpt2", "text"),
        ("t5", "text"),
    ],
)
def test_half_precision_where_the_device_has_it(
    family: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a CPU, which is made to say that it has: answers are as many, and likelihoods nearly those of fp32."""
    import torch

    from discobench.models import family as find
    from discobench.models import finetuned
    from discobench.models.base import Decoding
    from tests import toys

    learner = toys.learner(family, form, tmp_path / "base")
    learner.save(tmp_path / "tuned")
    settings = vars(toys.settings(form, targets=form == "text"))
    asked, how, cpu = toys.examples(form, 5, 1), Decoding(beam=2, max_new_tokens=4), torch.device("cpu")

    def tuned(precision: str) -> Any:
        manifest = {"settings": settings, "seed": 1}
        return finetuned.fine_tuned(find(family), tmp_path / "tuned", manifest, cpu, precision)

    assert {p.dtype for p in tuned("bf16").model.parameters()} == {torch.float32}
    monkeypatch.setattr(finetuned, "computes_bf16", lambda device: True)
    whole, half = tuned("fp32"), tuned("bf16")
    assert {p.dtype for p in half.model.parameters()} == {torch.bfloat16}
    assert [p.id for p in half.predict(asked, how)] == [example.id for example in asked]
    if form in ("choice", "text"):
        found = [[score.total for score in model.log_likelihood(asked, how)] for model in (whole, half)]
        assert found[0] == pytest.approx(found[1], rel=0.05) and found[0] != found[1]
