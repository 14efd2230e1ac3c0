"""The job itself: killed in the middle it leaves nothing that looks whole, and then gives the same bytes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from discobench.files import read_json
from discobench.parquet import read_parquet

ROOT = Path(__file__).parents[2]
PLACE = {"document": "line", "language": "zh"}
LIMITS = {"max_document_bytes": 5_000_000, "max_unpacked_bytes": 1 << 34, "max_ratio": 200}


def start(
    base: Path, rule: str, inputs: dict[str, Path], output: dict[str, Path], **params: Any
) -> subprocess.Popen[bytes]:
    """One job as a debugger would start it: from its parameters in a file."""
    spec = {
        "input": {name: str(path) for name, path in inputs.items()},
        "output": {name: str(path) for name, path in output.items()},
        "params": params,
        "wildcards": {"genre": "g", "shard": "0"},
        "resources": {},
        "threads": 1,
        "log": str(base / f"{rule}.log"),
        "rule": rule,
    }
    (base / f"{rule}.json").write_text(json.dumps(spec), "utf-8")
    command = [sys.executable, f"scripts/corpus/{rule}.py", str(base / f"{rule}.json")]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def outputs(folder: Path) -> dict[str, Path]:
    names = {"data": "ingest.parquet", "dropped": "ingest.dropped.parquet", "manifest": "ingest.balance.json"}
    return {key: folder / name for key, name in names.items()}


@pytest.mark.slow
def test_killed_in_the_middle(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "a.txt").write_bytes("".join(f"第{n}夜，他在门口等了一夜。\n" for n in range(60_000)).encode())
    place = {**PLACE, "path": str(raw)}
    listing = {"files": tmp_path / "sources.jsonl", "manifest": tmp_path / "sources.json"}
    assert start(tmp_path, "sources", {}, listing, place=place, limits=LIMITS).wait(60) == 0
    given = {"sources": tmp_path / "sources.json", "rules": ROOT / "resources/cleaning/zh.yaml"}
    params = {
        "shards": 1,
        "limits": LIMITS,
        "kind": {**place, "category": "c", "genre": "n", "fields": {}, "work": "file"},
    }
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    job = start(tmp_path, "ingest", given, outputs(killed), **params)
    while not any(path.stat().st_size for path in killed.glob(".ingest.parquet.*")):
        assert job.poll() is None
        time.sleep(0.02)
    job.send_signal(signal.SIGKILL)
    job.wait()
    assert not any(path.exists() for path in outputs(killed).values())
    for folder in (killed, whole):
        assert start(tmp_path, "ingest", given, outputs(folder), **params).wait(120) == 0
    for one, other in zip(outputs(killed).values(), outputs(whole).values(), strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert read_json(whole / "ingest.balance.json")["kept"] == 60_000
    assert len(read_parquet(whole / "ingest.parquet", "document")) == 60_000
