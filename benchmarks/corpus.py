"""``make bench-corpus``: what a core cleans, signs and packs in a second, beside the floor and other tools.

All rates are MB of raw UTF-8 text per CPU second, one process at a time, imports left out. Writes
results/bench/corpus.json. Options: ``--size`` MB of text in a language (1,000), ``--rivals`` how much
of it the other tools get (as much; they are slow), ``--threshold`` of near-duplicates (0.7).
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks import pipeline
from benchmarks.floor import floor
from benchmarks.quality import found_by_us, quality
from benchmarks.table import printed
from benchmarks.texts import PART, write_shard
from discobench.files import read_json, write_json

MB = 1_000_000
BENCH = Path(".venvs/bench/bin/python")
RIVALS = ("filters", "minhash", "datasketch")
RAW = pipeline.RUN / "raw"


def main() -> None:
    options = argparse.ArgumentParser(prog="make bench-corpus")
    options.add_argument("--size", type=int, default=1000, help="MB of text in each language")
    options.add_argument("--rivals", type=int, help="MB of it that the other tools get; all by default")
    options.add_argument("--threshold", type=float, default=0.7, help="of near-duplicates")
    chosen = options.parse_args()
    for language in pipeline.GENRES:
        _texts(language, chosen.size)
    pipeline.clean_corpus(RAW, chosen.threshold)
    about = {"machine": platform.processor() or platform.machine(), "cores": os.cpu_count(), "size_mb": chosen.size}
    result = {"date": time.strftime("%Y-%m-%d"), **about, "threshold": chosen.threshold}
    result["languages"] = {name: _measured(name, chosen) for name in pipeline.GENRES}
    write_json(pipeline.RUN / "corpus.json", result)
    print(printed(result))


def _texts(language: str, size: int) -> None:
    """Raw texts, unless those of this size are there."""
    mark = RAW / f"{language}.json"
    if not mark.exists() or read_json(mark) != size:
        for path in (RAW / language).glob("*"):
            path.unlink()
        write_shard(RAW, language, size * MB)
        write_json(mark, size)


def _measured(language: str, chosen: argparse.Namespace) -> dict[str, Any]:
    pipeline.pack(language)
    parts = sorted((RAW / language).glob("*.zst"))
    few = parts[: max(1, round((chosen.rivals or chosen.size) * MB / PART))]
    shares = len(few) / len(parts)
    ours = pipeline.costs(language)
    rivals = {task: _rival(task, language, chosen.threshold, few) for task in RIVALS if BENCH.exists()}
    truth, last = RAW / f"{language}.pairs.json", _last(few[-1])
    found = {"ours": found_by_us(pipeline.RUN / f"corpus/{language}/duplicates.parquet")}
    if rivals:
        found["datasketch"] = {tuple(pair) for pair in rivals["datasketch"].pop("pairs")}
    return {
        "ours": ours,
        "floor": floor(parts, language, pipeline.RUN / "floor.parquet"),
        "rivals": rivals,
        "rivals_mb": chosen.size * shares,
        "quality": {name: quality(pairs, truth, chosen.threshold, last) for name, pairs in found.items()}
        | {"ours, whole shard": quality(found["ours"], truth, chosen.threshold, "~")},
        "disk": pipeline.disk(language) / (chosen.size * MB),
    }


def _rival(task: str, language: str, threshold: float, parts: list[Path]) -> dict[str, Any]:
    work = pipeline.RUN / "rivals" / f"{task}-{language}"
    shutil.rmtree(work, ignore_errors=True)  # datatrove skips what it has done
    command = [str(BENCH), "benchmarks/rivals.py", task, language, str(threshold), str(work), *map(str, parts)]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def _last(part: Path) -> str:
    """The name of a raw file's last document."""
    with pa.input_stream(str(part), compression="zstd") as stream:
        line = stream.read().rstrip(b"\n").rpartition(b"\n")[2]
    return str(json.loads(line)["id"])


if __name__ == "__main__":
    main()
