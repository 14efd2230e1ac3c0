"""Decoding that survives: what was answered before a kill is not asked again."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from discobench.decode.predictions import line
from discobench.files import read_jsonl, write_jsonl
from discobench.formulations import Example, Prediction
from discobench.progress import told

SIZE = 2000
"""Examples of a shard: minutes of work, and enough to find batches of similar length in."""


def in_shards(
    state: Path, examples: Sequence[Example], predict: Callable[[Sequence[Example]], list[Prediction]], size: int = SIZE
) -> list[Prediction]:
    """``predict`` over ``size`` examples at a time; a shard whose file is in ``state`` is read instead.

    ``state`` must belong to this model, data and settings (see ``trainer.state_folder``). It goes with ``finished``.
    """
    found: list[Prediction] = []
    starts = range(0, len(examples), size)
    for start in told(starts, "decode", "examples", len(examples), lambda start: min(size, len(examples) - start)):
        path = state / f"shard-{start:09d}.jsonl"
        if not path.exists():
            write_jsonl(path, map(line, predict(examples[start : start + size])))
        found += [_prediction(record) for record in read_jsonl(path)]
    return found


def finished(state: Path) -> None:
    """Remove the shards once the predictions are written."""
    shutil.rmtree(state, ignore_errors=True)


def _prediction(record: dict[str, object]) -> Prediction:
    return Prediction(record["id"], record["prediction"], record["status"], record["details"])  # type: ignore[arg-type]
