"""Check a submission and score what it answers, as the run's own predictions are scored."""

from pathlib import Path
from typing import Any

from discobench.files import sha256, write_json, write_jsonl
from discobench.operations.submission import accepted, read_submission
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.score import VERSION
from discobench.score.submitted import score_answers
from discobench.tasks import task as find
from scripts.job import job


def main(file: Path, data: list[Path], out: Any, report: Path, params: Any) -> dict[str, Any]:
    paths = {name: beside(manifest, "test.parquet") for name, manifest in zip(params.tasks, data, strict=True)}
    tests = {name: (find(name), read_parquet(path, find(name).schema)) for name, path in paths.items()}
    found = read_submission(file, params.allowed)
    answers = accepted(found, tests, report)
    scores = {name: score_answers(*tests[name], answers[name], params) for name in params.tasks}
    for path, name in zip(out.answers, params.tasks, strict=True):
        write_jsonl(path, answers[name])
    facts = {"sha256": sha256(file), "tests": {name: sha256(path) for name, path in paths.items()}, "version": VERSION}
    write_json(out.scores, {**found.about, **facts, "scores": scores})
    return scores


if __name__ == "__main__":
    with job(globals()) as j:
        j.params.gpus = j.resources.gpu
        made = main(j.input.file, j.input.data, j.output, j.log.with_suffix(".faults.txt"), j.params)
        found = [f"{t} {m} {e['value']:.2f}" for t, s in made.items() for m, e in s["metrics"].items() if "value" in e]
        j.say("The submission is scored: " + ", ".join(found))
