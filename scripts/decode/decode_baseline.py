"""Answer a task's test set without learning: majority, copy or random."""

from pathlib import Path
from random import Random

from discobench.decode.predictions import write_predictions
from discobench.formulations import Prediction
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.tasks import task as find
from scripts.job import job


def main(data: Path, predictions: Path, manifest: Path, name: str, baseline: str, seed: int) -> None:
    task = find(name)
    train, test = (read_parquet(beside(data, f"{split}.parquet"), task.schema) for split in ("train", "test"))
    values = task.baseline(baseline, train, test, Random(seed))
    ids = [record["id"] for record in test]
    answers = (Prediction(id_, value) for id_, value in zip(ids, values, strict=True))
    write_predictions(predictions, manifest, ids, answers)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.output.predictions, j.output.balance, j.wildcards.task, j.params.baseline, j.params.seed)
