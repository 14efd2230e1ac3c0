"""Look for validation and test instances of every task in the training text of every task."""

from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import write_json
from discobench.parquet import iterate_parquet
from discobench.records import beside
from discobench.tasks import task as find
from discobench.tasks.leakage import HELD_OUT, Leakage, warnings
from scripts.job import job


def main(data: list[Path], out: Path, params: Any) -> None:
    leakage = Leakage(params.ngram, params.overlap)
    tasks = [find(name) for name in params.tasks]
    for task, manifest in zip(tasks, data, strict=True):
        for split in HELD_OUT:
            leakage.hold(task, split, iterate_parquet(beside(manifest, f"{split}.parquet"), task.schema))
    for task, manifest in zip(tasks, data, strict=True):
        leakage.train(task, iterate_parquet(beside(manifest, "train.parquet"), task.schema))
    findings, works = leakage.findings(), leakage.divided()
    pairs = leakage.pairs(params.tasks, findings)
    warned = warnings(pairs, works, params.threshold)
    if warned and params.strict:
        raise DiscoError(f"leakage: {'; '.join(warned)}: mend the tasks' files, or set leakage.strict to false.")
    write_json(out, {"findings": findings, "pairs": pairs, "warnings": warned, "works": works})


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.output.report, j.params)
