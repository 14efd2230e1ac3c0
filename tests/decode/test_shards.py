"""A decoding that was killed goes on with the shard it was at, and ends with the same bytes."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from discobench.decode.predictions import write_predictions
from discobench.decode.shards import finished, in_shards
from discobench.formulations import Prediction, TextExample

EXAMPLES = [TextExample(f"r{n}", f"他说{n}\u2028。", None, "zh", "zh") for n in range(7)]


class Model:
    """Writes the source again; dies at the call ``dies``."""

    def __init__(self, dies: int | None = None) -> None:
        self.dies, self.calls = dies, 0

    def predict(self, examples: Sequence[TextExample]) -> list[Prediction]:
        self.calls += 1
        if self.calls == self.dies:
            raise KeyboardInterrupt
        return [Prediction(e.id, e.source, "ok", {"tokens": len(e.source)}) for e in examples]


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    ids = [example.id for example in EXAMPLES]
    for name, models in {"whole": [Model()], "killed": [Model(dies=3), Model()]}.items():
        state = tmp_path / name
        state.mkdir()
        for model in models[:-1]:
            with pytest.raises(KeyboardInterrupt):
                in_shards(state, EXAMPLES, model.predict, 2)
        found = in_shards(state, EXAMPLES, models[-1].predict, 2)
        write_predictions(tmp_path / f"{name}.jsonl", tmp_path / f"{name}.json", ids, found)
        assert models[-1].calls == (4 if name == "whole" else 2)
        finished(state)
        assert not state.exists()
    assert (tmp_path / "whole.jsonl").read_bytes() == (tmp_path / "killed.jsonl").read_bytes()
