"""The corpus stage of this project on raw shards: run by its own rules, each job's cost as the job says it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from discobench.files import read_json, write_json
from discobench.models.tokenizers import write_bytelevel, write_wordpiece

ROOT = Path(__file__).parents[1]
RUN = Path("results/bench")
LOG = Path("logs/bench")
GENRES = {"zh": "zh_novel", "en": "en_novel"}
VOCABULARY = {"zh": 21_128, "en": 20_000}
SAMPLE = 2_000
"""Documents from which tokenizers learn their words."""
COLUMNS = [f"{split}.{name}.npy" for split in ("train", "valid") for name in ("tokens", "documents", "words")]


def configuration(raw: Path, threshold: float) -> dict[str, Any]:
    """What differs from the demo: one genre a language, in one shard, and the threshold of near-duplicates."""
    genres = {genre: {"path": str(raw / language), "shards": 1} for language, genre in GENRES.items()}
    run = {"preset": "bench", "genres": list(genres), "tasks": ["si", "zpr", "mrc", "nt"], "suites": []}
    return {"run": run, "genres": genres, "corpus": {"duplicates": {"threshold": threshold}}}


def clean_corpus(raw: Path, threshold: float) -> None:
    """Run the rules up to decontamination, one job after the other, from the start."""
    write_json(RUN / "bench.json", configuration(raw, threshold))
    targets = [str(RUN / f"corpus/{genre}/0/decontaminate.balance.json") for genre in GENRES.values()]
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--config", "preset=demo", "--configfile"]
    command += [str(RUN / "bench.json"), "--forcerun", "sources", "--quiet", "all", "--", *targets]
    _run(command)


def pack(language: str) -> None:
    """Pack the shard of a language for a tokenizer that learned from it."""
    folder, genre = RUN / "packed" / language, GENRES[language]
    write_tokenizer(folder / "base", language)
    spec = {
        "input": {
            "manifest": str(RUN / f"corpus/{genre}/0/decontaminate.balance.json"),
            "tokenizer": str(folder / "base/model.json"),
        },
        "output": {
            "arrays": [str(folder / name) for name in COLUMNS],
            "dropped": str(folder / "pack.dropped.parquet"),
            "manifest": str(folder / "pack.balance.json"),
        },
        "params": {},
    }
    more = {"wildcards": {"genre": genre}, "resources": {}, "threads": 1, "rule": "pack"}
    write_json(folder / "job.json", spec | more | {"log": str(LOG / f"corpus/{genre}/0/pack.log")})
    _run([sys.executable, "scripts/corpus/pack.py", str(folder / "job.json")])


def write_tokenizer(folder: Path, language: str) -> None:
    """BERT's kind of tokenizer for zh, byte-level BPE for en."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = sorted((RUN / "raw" / language).glob("*.jsonl.zst"))
    with pa.input_stream(str(parts[0]), compression="zstd") as stream:
        lines = stream.read().split(b"\n")[:SAMPLE]
    texts = [orjson.loads(line)["text"] for line in lines if line]
    if language == "zh":
        write_wordpiece(folder, texts, VOCABULARY["zh"])
    else:
        write_bytelevel(folder, texts, VOCABULARY["en"], "bart")
    write_json(folder / "model.json", {"outputs": {}})


def costs(language: str) -> dict[str, dict[str, float]]:
    """CPU seconds (``cpu_s``) and peak memory (``peak_mb``) by step; jobs of one step are added up."""
    folders = [LOG / "corpus" / GENRES[language] / "0", LOG / "corpus" / language]
    found: dict[str, dict[str, float]] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*.cost.json")):
        cost, step = read_json(path), found.setdefault(path.name.split(".")[0], {"cpu_s": 0.0, "peak_mb": 0.0})
        step["cpu_s"] += cost["cpu_s"]
        step["peak_mb"] = max(step["peak_mb"], cost["peak_mb"])
    return found


def disk(language: str) -> int:
    """Bytes that the stage leaves for a language, packed arrays included."""
    folders = [RUN / "corpus" / GENRES[language], RUN / "corpus" / language, RUN / "packed" / language]
    return sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
