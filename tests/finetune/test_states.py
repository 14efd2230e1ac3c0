"""Where the script of fine-tuning keeps what survives a kill."""

import importlib
from pathlib import Path
from types import SimpleNamespace as Space
from typing import Any

import pytest

from discobench.files import write_json
from discobench.parquet import write_parquet
from discobench.records import Balance
from tests import toys

pytestmark = [pytest.mark.torch, pytest.mark.slow]


def cells(root: Path, rows: list[str]) -> Any:
    """The job of rows with the same checkpoint, task and settings."""
    parts = [root / f"si/{name}.parquet" for name in ("train", "valid")]
    for path in parts:
        write_parquet(path, [], "si")
    Balance("build").write(root / "si/build.balance.json", 0, parts)
    write_json(root / "base/model.json", {"outputs": {}, "family": "encoder"})
    inputs = {"data": root / "si/build.balance.json", "checkpoint": root / "base/model.json"}
    training = toys.TRAINING | {"passages": "cut", "best_of": 5}
    params: dict[str, Any] = {"cells": [("si", row) for row in rows], "training": [training for _ in rows]}
    params |= {"answering": [{} for _ in rows], "grid": [{} for _ in rows]}
    return Space(
        input=Space(**{name: [path for _ in rows] for name, path in inputs.items()}),
        output=Space(model=[root / row / "model.json" for row in rows]),
        params=Space(**params, state=root / "state", version="1", precision="fp32"),
        wildcards=Space(seed="1"),
        resources=Space(gpu=0, cuda=0, attempt=1),
        log=root / "finetune.log",
    )


def test_rows_that_are_alike_do_not_lock_each_other_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, states = importlib.import_module("scripts.finetune.finetune"), []

    def search(run: Any, *_: Any) -> dict[str, Any]:
        states.append(run.state)
        return {}

    monkeypatch.setattr(script, "search", search)
    job = cells(tmp_path, ["bert-base", "my-bert"])
    for n in (0, 1, 0):
        script.main(job, n)
    assert states[0] == states[2] != states[1]
