"""``make bench-memory``: the largest memory of each job of the corpus on one shard of each of three kinds.

``usual``: generated texts in both languages, as in ``bench-corpus``. ``dropped``: Chinese records of which nearly
all fall through: no JSON, copies of a few texts, or a passage of a test set. ``tiny``: lines of some twenty
characters, each a document. Every job is a process of its own and says its peak itself (``….cost.json``).
Options: ``--case``, ``--size`` MB of raw text, ``--until`` the last step to run.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.pipeline import COLUMNS, ROOT, VOCABULARY
from benchmarks.texts import Writer, write_shard
from discobench.files import read_json, read_jsonl, whole, write_json
from discobench.models.tokenizers import write_bytelevel, write_wordpiece
from discobench.parquet import iterate_tables

GENRES = {"zh": "zh_novel", "en": "en_novel"}
CASES = {"usual": ("zh", "en"), "dropped": ("zh",), "tiny": ("zh",)}
STEPS = ("ingest", "clean", "signatures", "duplicates", "deduplicate", "decontaminate", "contamination", "statistics")
PASSAGES = Path("resources/demo/tasks/mrc/test.jsonl")
MB = 1_000_000
POOL = 50_000
"""Pieces that texts are made of."""
LONG = 40
"""Characters of a passage that has n-grams enough to cost a text."""


def main() -> None:
    options = argparse.ArgumentParser(prog="make bench-memory")
    options.add_argument("--case", choices=CASES, nargs="+", default=list(CASES))
    options.add_argument("--size", type=int, default=1000, help="MB of raw text in each shard")
    options.add_argument("--until", choices=[*STEPS, "pack"], default="pack")
    chosen = options.parse_args()
    for case in chosen.case:
        write_raw(case, chosen.size)
        run_rules(case, "statistics" if chosen.until == "pack" else chosen.until)
        if chosen.until == "pack":
            for language in CASES[case]:
                pack(case, language)
        print(json.dumps({case: peaks(case)}, indent=2))


def write_raw(case: str, size: int) -> None:
    """The raw shards of a case, unless they are there."""
    folder = place(case) / "raw"
    mark = folder / "size.json"
    if mark.exists() and read_json(mark) == size:
        return
    if case == "usual":
        for language in CASES[case]:
            write_shard(folder, language, size * MB)
    else:
        lines = {"dropped": fallen, "tiny": tiny}[case]()
        _write_lines(folder / "zh" / ("a.jsonl" if case == "dropped" else "a.txt"), lines, size * MB)
    write_json(mark, size)


def _write_lines(path: Path, lines: Iterator[str], size: int) -> None:
    with whole(path) as temporary, temporary.open("wb", buffering=1 << 20) as out:
        while size > 0:
            line = f"{next(lines)}\n".encode()
            out.write(line)
            size -= len(line)


def pieces() -> list[str]:
    """Pieces of about ten characters of generated text."""
    writer, found = Writer("zh", 1), list[str]()
    while len(found) < POOL:
        text = writer.text().replace("\n", "")
        found += [text[start : start + 10] for start in range(0, len(text) - 10, 10)]
    return found


def drawn(count: int) -> Iterator[str]:
    """Texts of some pieces each."""
    pool, rng = pieces(), np.random.default_rng(1)
    while True:
        for row in rng.integers(0, len(pool), (10_000, count)).tolist():
            yield "".join(pool[n] for n in row)


def tiny() -> Iterator[str]:
    """Lines of two pieces."""
    return (f"{text}。" for text in drawn(2))


def fallen() -> Iterator[str]:
    """Of a hundred records thirty are no JSON, forty copies, twenty-nine have a test set's passage, one is a text."""
    passages = [row["passage"][:LONG] for row in read_jsonl(PASSAGES)]
    texts, copies = drawn(10), [next(drawn(10)) + str(n) for n in range(9)]
    while True:
        for n in range(100):
            if n < 30:
                yield "{" + next(texts)
            elif n < 70:
                yield _json(copies[n % len(copies)])
            else:
                yield _json(next(texts) + "。" + passages[n % len(passages)] * (n < 99))


def _json(text: str) -> str:
    return json.dumps({"text": text}, ensure_ascii=False)


def place(case: str) -> Path:
    return Path(f"results/memory-{case}")


def run_rules(case: str, step: str) -> None:
    """Run the rules up to a step, one job after the other."""
    raw: dict[str, dict[str, Any]] = {
        genre: {"path": str(place(case) / "raw" / language), "shards": 1} for language, genre in GENRES.items()
    }
    if case != "usual":
        raw["zh_novel"] |= {"work": "document", "document": "line"}
    genres = [GENRES[language] for language in CASES[case]]
    run = {"preset": place(case).name, "genres": genres, "tasks": ["si", "zpr", "mrc", "nt"], "suites": []}
    write_json(place(case) / "run.json", {"run": run, "genres": raw})
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--config", "preset=demo", "--configfile"]
    command += [str(place(case) / "run.json"), "--quiet", "all", "--", *targets(case, step)]
    subprocess.run(command, check=True, cwd=ROOT)


def targets(case: str, step: str) -> list[str]:
    """The manifests of a step."""
    base = place(case) / "corpus"
    if step in ("contamination", "statistics"):
        return [str(base / f"{name}.balance.json") for name in ("contamination", "statistics")]
    folders = [language if step == "duplicates" else f"{GENRES[language]}/0" for language in CASES[case]]
    return [str(base / folder / f"{step}.balance.json") for folder in folders]


def pack(case: str, language: str) -> None:
    """Pack a shard for a tokenizer that learned from its beginning."""
    folder, shard = place(case) / "packed" / language, place(case) / "corpus" / GENRES[language] / "0"
    (folder / "base").mkdir(parents=True, exist_ok=True)
    texts = next(iterate_tables(shard / "decontaminate.parquet", "document", ["text"]))["text"].to_pylist()
    if language == "zh":
        write_wordpiece(folder / "base", texts, VOCABULARY[language])
    else:
        write_bytelevel(folder / "base", texts, VOCABULARY[language], "bart")
    write_json(folder / "base/model.json", {"outputs": {}})
    write_json(folder / "job.json", specification(folder, shard, GENRES[language]))
    subprocess.run([sys.executable, "scripts/corpus/pack.py", str(folder / "job.json")], check=True, cwd=ROOT)


def specification(folder: Path, shard: Path, genre: str) -> dict[str, Any]:
    """What the rule would hand over."""
    written = {
        name: str(folder / f"pack.{end}")
        for name, end in (("dropped", "dropped.parquet"), ("manifest", "balance.json"))
    }
    return {
        "input": {"manifest": str(shard / "decontaminate.balance.json"), "tokenizer": str(folder / "base/model.json")},
        "output": {"arrays": [str(folder / name) for name in COLUMNS], **written},
        "params": {},
        **{"wildcards": {"genre": genre}, "resources": {}, "threads": 1, "rule": "pack"},
        "log": str(Path("logs") / folder.relative_to("results") / "pack.log"),
    }


def peaks(case: str) -> dict[str, int]:
    """MB of the largest job of each step and genre or language."""
    logs = Path("logs") / place(case).name
    found: dict[str, int] = {}
    for path in sorted(logs.rglob("*.cost.json")):
        folder = path.parent.relative_to(logs).as_posix()
        name = f"{path.name.split('.')[0]} {folder.split('/')[1] if '/' in folder else folder}"
        found[name] = max(found.get(name, 0), int(read_json(path)["peak_mb"]))
    return found


if __name__ == "__main__":
    main()
