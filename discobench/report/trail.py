"""From a cell of a table back to its data: scores, predictions, checkpoint, settings, hashes, code, machine, times."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobench.files import read_json
from discobench.operations.made import Records, records
from discobench.report.anchors import anchor, ranked, tuned
from discobench.report.rankings import odd_rankings

CONFIG = "config.json"
File = tuple[str, Path, str]
"""What it is, where, and its digest."""
Facts = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Job:
    """A job behind a part: its rule, the path of its record, and what that says of code, time and machine."""

    rule: str
    record: str
    commit: str
    code: str
    seconds: str
    machine: str


@dataclass(frozen=True, slots=True)
class Trail:
    """What some cells lead to: the files behind them, the jobs that made these, and other parts to go on to."""

    anchor: str
    title: str
    files: list[tuple[str, str, str]]
    """What a file is, its path from the folder of results, and a digest."""
    jobs: list[Job]
    facts: Facts
    parts: list[tuple[str, str]]
    """Anchor and name."""


def trails(root: Path) -> list[Trail]:
    """A part for every cell, ranking, data set, model and fine-tuning below ``root``, a run's results."""
    run = Run(root)
    return [*run.cells(), *run.rankings(), *run.data(), *run.models(), *run.others()]


OTHERS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "corpus": (
        "Corpus",
        {
            "statistics of the corpus": "corpus/statistics.balance.json",
            "contamination of the corpus": "corpus/contamination.balance.json",
            "sentences, characters and words by genre": "corpus/statistics.parquet",
            "overlap with test sets, by genre and task": "corpus/overlaps.parquet",
            "what the corpus has of each test instance": "corpus/exposure.parquet",
            "licences of the genres": "corpus/licences.parquet",
        },
    ),
    "agreement": ("Agreement of annotators", {"agreement": "annotation/agreement.json"}),
    "expansions": (
        "Text expansion",
        {"what was deleted": "synthesis/te/statistics.json", "what other limits would keep": "figures/te.svg"},
    ),
    "zeros": ("Recovery of zero pronouns", {"against people's labels": "synthesis/zpr/quality.json"}),
}
"""Anchor -> a part's title and its files, of which the first must be there."""


class Run:
    """The results of a run, and the records that its jobs left there."""

    def __init__(self, root: Path) -> None:
        self.root, self.records = root, records(root)

    def cells(self) -> Iterator[Trail]:
        """Of scores; the seeds of a row follow each other."""
        for path in sorted(self.root.glob("score/*/*/seed-*/scores.json")):
            found = read_json(path)
            task, row, seed, checkpoint = (found[name] for name in ("task", "row", "seed", "checkpoint"))
            place = f"{task}/{row}/seed-{seed}"
            facts = [("seed", str(seed)), ("checkpoint", checkpoint), ("answers", _pairs(found["statuses"]))]
            facts += _asked(_read(self.root / "decode" / place / "decode.balance.json"))
            facts += _training(_read(self.root / "finetune" / place / "model.json"))
            files = [*self._scored(path, task), *self._answered(place), *self._learned(task, row, seed, checkpoint)]
            yield self._part(anchor(task, row), f"{task.upper()}, {row}, seed {seed}", files, facts, task, checkpoint)

    def rankings(self) -> Iterator[Trail]:
        """Of the diagnostic suite."""
        for path in sorted(self.root.glob("diagnose/*/*/seed-*/ranking.json")):
            found = read_json(path)
            task, row, seed = (found[name] for name in ("task", "row", "seed"))
            suite, checkpoint = path.parents[2].name, str(found.get("checkpoint", ""))
            facts = [("seed", str(seed)), ("outcomes", "; ".join(odd_rankings(found)) or "no ties, nothing cut")]
            files = [("ranking, instance by instance", path, "")]
            made = self.root / "diagnose" / suite / "suite.balance.json"
            files += [("the suite", made, ""), *self._learned(task, row, seed, checkpoint)]
            title = f"Suite {suite}, {row}, seed {seed}"
            model = _read(self.root / "finetune" / task / row / f"seed-{seed}" / "model.json")
            facts += _training(model)
            yield self._part(ranked(suite, row), title, files, facts, task, str(model.get("checkpoint", checkpoint)))

    def data(self) -> Iterator[Trail]:
        """Of the data sets, and of the fine-tunings for them."""
        for path in sorted(self.root.glob("tasks/*/build.balance.json")):
            task = path.parent.name
            yield self._part(f"data-{task}", f"Data set of {task.upper()}", self._data(task), [])
            models = sorted(self.root.glob(f"finetune/{task}/*/seed-*/model.json"))
            files = [(f"fine-tuned model ({m.parents[1].name}, {m.parent.name})", m, _weights(m)) for m in models]
            yield self._part(tuned(task), f"Fine-tuning for {task.upper()}", files, [], task)

    def models(self) -> Iterator[Trail]:
        """Of the checkpoints that are fine-tuned."""
        for stage in ("models", "pretrain"):
            for path in sorted(self.root.glob(f"{stage}/*/model.json")):
                name = path.parent.name
                files = [("checkpoint", path, _weights(path)), self._packed(name)]
                yield self._part(f"model-{name}", f"Model {name}", files, _training(read_json(path)))

    def others(self) -> Iterator[Trail]:
        """Of what is told of the whole run, where the run has it."""
        for name, (title, places) in OTHERS.items():
            files: list[File] = [(what, self.root / place, "") for what, place in places.items()]
            if files[0][1].is_file():
                yield self._part(name, title, files, [])

    def _part(
        self, name: str, title: str, files: Iterable[File], facts: Facts, task: str = "", checkpoint: str = ""
    ) -> Trail:
        there = [(what, path, digest) for what, path, digest in files if path.is_file()]
        paths = [(what, path.relative_to(self.root).as_posix(), digest) for what, path, digest in there]
        jobs = jobs_of(self.records, [path for _, path, _ in paths])
        paths.append(("whole configuration", CONFIG, ""))
        more = [(f"data-{task}", f"data set of {task.upper()}")] if task else []
        stages = ("models", "pretrain") if checkpoint else ()
        if any((self.root / stage / checkpoint / "model.json").is_file() for stage in stages):
            more.append((f"model-{checkpoint}", f"model {checkpoint}"))
        return Trail(name, title, paths, jobs, facts, more)

    def _scored(self, scores: Path, task: str) -> Iterator[File]:
        yield "scores", scores, ""
        yield "scores of each instance", scores.with_name("instances.parquet"), ""
        for path in sorted(self.root.glob(f"score/{task}/model/*.json")):
            yield f"scores by a model ({path.stem})", path, ""

    def _answered(self, place: str) -> Iterator[File]:
        decoded = self.root / "decode" / place / "decode.balance.json"
        yield "predictions", decoded.with_name("predictions.jsonl"), _digest(decoded, "predictions.jsonl")

    def _learned(self, task: str, row: str, seed: int, checkpoint: str) -> Iterator[File]:
        """What a cell's model has learned from, back to the data."""
        model = self.root / "finetune" / task / row / f"seed-{seed}" / "model.json"
        yield "fine-tuned model", model, _weights(model)
        name = checkpoint or str(_read(model).get("checkpoint", ""))
        for stage in ("pretrain", "models"):
            start = self.root / stage / name / "model.json"
            yield "checkpoint it starts from", start, _weights(start)
        yield self._packed(name)
        yield from self._data(task)

    def _packed(self, checkpoint: str) -> File:
        return "tokens it was pretrained on", self.root / "corpus/packed" / checkpoint / "index.balance.json", ""

    def _data(self, task: str) -> Iterator[File]:
        manifest = self.root / "tasks" / task / "build.balance.json"
        yield "manifest of the data", manifest, ""
        for split in ("test", "valid", "train"):
            yield f"{split} set", manifest.with_name(f"{split}.parquet"), _digest(manifest, f"{split}.parquet")
        yield "data card", manifest.with_name("card.md"), ""


def jobs_of(made: Records, paths: Iterable[str]) -> list[Job]:
    """The jobs that made some files, each once."""
    found = dict(made[path] for path in paths if path in made)
    return [
        Job(c["rule"], where, c["code"]["commit"], c["code"]["sha256"], f"{c['wall_s']:.1f}", c["machine"])
        for where, c in found.items()
    ]


def _read(path: Path) -> dict[str, Any]:
    return dict(read_json(path)) if path.is_file() else {}


def _digest(manifest: Path, name: str) -> str:
    return str(_read(manifest).get("outputs", {}).get(name, ""))


def _weights(manifest: Path) -> str:
    outputs = _read(manifest).get("outputs", {}).items()
    return next((str(digest) for name, digest in outputs if name.endswith((".safetensors", ".pt"))), "")


def _asked(decoded: Mapping[str, Any]) -> Facts:
    """What an API took for the answers, and how it was asked."""
    notes = decoded.get("notes", {})
    names = [name for name in ("asked", "signature") if notes.get(name)]
    return [(name, notes[name] if name == "signature" else _pairs(notes[name])) for name in names]


def _training(model: Mapping[str, Any]) -> Facts:
    plain = ("device", "parameters", "step", "source", "revision")
    told = [(name, str(model[name])) for name in plain if model.get(name) is not None]
    listed = ("training", "settings", "facts", "versions")
    return told + [(name, _pairs(model[name])) for name in listed if model.get(name)]


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items() if value is not None)
