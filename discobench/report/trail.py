"""From a cell of a table back to its data: scores, predictions, checkpoint, settings, hashes, versions, times."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.files import open_text, read_json
from discobench.report.rankings import odd_rankings

STAGES = ("finetune", "decode", "score")


@dataclass(frozen=True, slots=True)
class Trail:
    """One cell: what it is, the files behind it with what they hold, and how long its jobs took."""

    anchor: str
    title: str
    files: list[tuple[str, str, str]]
    """What a file is, its path from the folder of results, and a digest."""
    facts: list[tuple[str, str]]


def anchor(task: str, row: str) -> str:
    """Where the trails of a row's cells in a task begin."""
    return f"{task}-{row}"


def trails(root: Path, logs: Path) -> list[Trail]:
    """The trail of every scored cell below ``root``, the folder of a run's results; ``logs`` is that of its logs."""
    return [_trail(root, logs, path) for path in sorted(root.glob("score/*/*/seed-*/scores.json"))]


def _trail(root: Path, logs: Path, scores: Path) -> Trail:
    found = read_json(scores)
    task, row, seed = found["task"], found["row"], found["seed"]
    place = f"{task}/{row}/seed-{seed}"
    model = _read(root / "finetune" / place / "model.json")
    settings = [("seed", str(seed)), ("checkpoint", found["checkpoint"]), ("answers", _pairs(found["statuses"]))]
    return Trail(
        anchor(task, row),
        f"{task.upper()}, {row}, seed {seed}",
        [line for line in _files(root, place, task, row, seed, found["checkpoint"]) if line[1]],
        [
            *settings,
            *_asked(_read(root / "decode" / place / "decode.balance.json")),
            *_training(model),
            *_ranked(root, row, seed),
            *_times(root, logs, place, f"{row}/seed-{seed}"),
        ],
    )


def _files(root: Path, place: str, task: str, row: str, seed: int, checkpoint: str) -> Iterator[tuple[str, str, str]]:
    """Files of a cell that exist, from the scores back to the data."""
    decoded = root / "decode" / place / "decode.balance.json"
    yield "scores", _at(root, root / "score" / place / "scores.json"), ""
    yield "scores of each instance", _at(root, root / "score" / place / "instances.parquet"), ""
    for path in sorted(root.glob(f"score/{task}/model/*.json")):
        yield f"scores by a model ({path.stem})", _at(root, path), ""
    for path in sorted(root.glob(f"diagnose/*/{row}/seed-{seed}/ranking.json")):
        yield f"ranking ({path.parents[2].name})", _at(root, path), ""
    yield "predictions", _at(root, decoded.with_name("predictions.jsonl")), _digest(decoded, "predictions.jsonl")
    yield "fine-tuned model", *_manifest(root, root / "finetune" / place / "model.json")
    for stage in ("pretrain", "models"):
        yield "checkpoint it starts from", *_manifest(root, root / stage / checkpoint / "model.json")
    packed = root / "corpus/packed" / checkpoint / "pack.balance.json"
    yield "tokens it was pretrained on", _at(root, packed), ""
    data = root / "tasks" / task / "build.balance.json"
    for split in ("test", "valid", "train"):
        yield f"{split} set", _at(root, data.with_name(f"{split}.parquet")), _digest(data, f"{split}.parquet")
    yield "data card", _at(root, data.with_name("card.md")), ""


def _at(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_file() else ""


def _manifest(root: Path, path: Path) -> tuple[str, str]:
    weights = [
        digest for name, digest in _read(path).get("outputs", {}).items() if name.endswith((".safetensors", ".pt"))
    ]
    return _at(root, path), weights[0] if weights else ""


def _read(path: Path) -> dict[str, Any]:
    return dict(read_json(path)) if path.is_file() else {}


def _digest(manifest: Path, name: str) -> str:
    return str(_read(manifest).get("outputs", {}).get(name, ""))


def _asked(decoded: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What an API took for the answers, and how it was asked."""
    notes = decoded.get("notes", {})
    for name in ("asked", "signature"):
        if notes.get(name):
            yield name, notes[name] if name == "signature" else _pairs(notes[name])


def _training(model: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("device", "parameters", "step", "source", "revision"):
        if model.get(name) is not None:
            yield name, str(model[name])
    for name in ("training", "settings", "facts", "versions"):
        if model.get(name):
            yield name, _pairs(model[name])


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items() if value is not None)


def _times(root: Path, logs: Path, place: str, together: str) -> Iterator[tuple[str, str]]:
    """Wall time of each job, as Snakemake measured it, and its machine, as its log folder has it.

    ``together`` is where jobs for all tasks of a row lie.
    """
    measured = root / "benchmarks"
    for stage in STAGES:
        for where, note in ((place, ""), (together, " (all tasks of the row)")):
            for path in sorted((measured / stage / where).glob("*.tsv")):
                with open_text(path) as stream:
                    row = next(csv.DictReader(stream, delimiter="\t"))
                cost = _read(logs / path.relative_to(measured).with_suffix(".cost.json"))
                machine = f" on {cost['machine']}" if "machine" in cost else ""
                yield f"wall time of {path.stem}{note}", f"{row['s']} s{machine}"


def categories(root: Path) -> list[dict[str, Any]]:
    """A table for each task and kind of category: names, and for each cell its first metric's value and n."""
    tables: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for path in sorted(root.glob("score/*/*/seed-*/scores.json")):
        found = read_json(path)
        for kind, parts in found.get("categories", {}).items():
            cell = {name: next(iter(metrics.items())) for name, metrics in parts.items()}
            tables.setdefault((found["task"], kind), {})[f"{found['row']}, seed {found['seed']}"] = cell
    return [
        {"task": task, "kind": kind, "names": sorted({n for cell in rows.values() for n in cell}), "rows": rows}
        for (task, kind), rows in tables.items()
    ]


def odd_answers(root: Path) -> list[tuple[str, dict[str, int]]]:
    """Cells, and suites that an API was asked about, with answers that are not ok, and how many of each kind."""
    scored, ranked = (
        [read_json(path) for path in sorted(root.glob(pattern))]
        for pattern in ("score/*/*/seed-*/scores.json", "diagnose/*/*/seed-*/ranking.json")
    )
    cells = [(f"{c['task'].upper()}, {c['row']}, seed {c['seed']}", c["statuses"]) for c in scored]
    cells += [(f"suite {r['suite']}, {r['row']}, seed {r['seed']}", r["statuses"]) for r in ranked if "statuses" in r]
    odd = ((name, {kind: n for kind, n in statuses.items() if kind != "ok"}) for name, statuses in cells)
    return [(name, kinds) for name, kinds in odd if kinds]


def odd_outcomes(root: Path) -> list[tuple[str, list[str]]]:
    """Rankings with ties, unread answers or instances that were cut, and how many."""
    ranked = [read_json(path) for path in sorted(root.glob("diagnose/*/*/seed-*/ranking.json"))]
    found = [(f"suite {r['suite']}, {r['row']}, seed {r['seed']}", odd_rankings(r)) for r in ranked]
    return [(name, texts) for name, texts in found if texts]


def _ranked(root: Path, row: str, seed: int) -> Iterator[tuple[str, str]]:
    for path in sorted(root.glob(f"diagnose/*/{row}/seed-{seed}/ranking.json")):
        if texts := odd_rankings(read_json(path)):
            yield f"ranking ({path.parents[2].name})", "; ".join(texts)
