"""Family plain: the Transformer of Vaswani et al. (2017), trained and decoded by fairseq."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from discobench.errors import DiscoError
from discobench.files import write_json
from discobench.formulations import Example, LogLikelihood, Prediction, TextExample
from discobench.models.base import Decoding, Toolkit
from discobench.models.plain_model import ARCHITECTURE, arguments
from discobench.models.tokenizers import write_bytelevel

DEFAULTS: dict[str, Any] = {
    "arch": "transformer",
    "vocabulary": 2000,
    "hidden": 64,
    "layers": 2,
    "heads": 4,
    "intermediate": 128,
    "positions": 512,
}


class Plain(Toolkit):
    """fairseq in this very process; its modules are imported only when training or decoding."""

    name: ClassVar[str] = "plain"
    formulations: ClassVar[frozenset[str]] = frozenset({"text"})

    def tiny(self, folder: Path, texts: Sequence[str], architecture: dict[str, Any], seed: int) -> None:
        """Write vocabulary and architecture; there are no weights before ``train`` draws them.

        ``architecture`` without ``arch`` is the demo's small one (``DEFAULTS``) with the given changes;
        with ``arch`` whatever is not given is as fairseq has it. ``language`` makes no difference here:
        bytes serve all.
        """
        given = {key: value for key, value in architecture.items() if key != "language"}
        chosen = given if "arch" in given else DEFAULTS | given
        arguments(chosen)
        write_bytelevel(folder, texts, int(chosen.get("vocabulary", DEFAULTS["vocabulary"])), "gpt2")
        write_json(folder / ARCHITECTURE, chosen)

    def train(
        self, folder: Path, out: Path, state: Path, train: Sequence[Example], valid: Sequence[Example], plan: Any
    ) -> dict[str, Any]:
        """Train by fairseq; ``plan`` is a ``plain_training.Plan``. Continues what ``state`` holds."""
        from discobench.models.plain_training import train as run

        return run(folder, out, state, _texts(train), _texts(valid), plan)

    def predict(self, folder: Path, examples: Sequence[Example], decoding: Decoding) -> list[Prediction]:
        """One text per example, in input order; sources beyond the positions are ``too_long``."""
        from discobench.models.plain_decoding import Loaded

        texts = _texts(examples)
        return Loaded(folder).predict(texts, decoding)

    def log_likelihood(self, folder: Path, examples: Sequence[Example], decoding: Decoding) -> list[LogLikelihood]:
        """log p(target | source) of each example, end symbol included, in input order."""
        from discobench.models.plain_decoding import Loaded

        texts = _texts(examples)
        return Loaded(folder).log_likelihood(texts, decoding)


def _texts(examples: Sequence[Example]) -> list[TextExample]:
    """The examples, which must be of the text formulation."""
    for example in examples:
        if not isinstance(example, TextExample):
            kind = type(example).__name__
            raise DiscoError(f"{example.id} is a {kind}; the plain family takes text tasks only: use an encoder row.")
    return [example for example in examples if isinstance(example, TextExample)]
