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
