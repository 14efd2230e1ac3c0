"""Write the data card of one task."""

from pathlib import Path
from typing import Any

from discobench.files import write_text
from discobench.parquet import iterate_parquet
from discobench.records import SPLITS, beside
from discobench.tasks import task as find
from discobench.tasks.card import card
from discobench.tasks.measures import measured
from scripts.job import job


def main(data: Path, out: Path, name: str, facts: Any) -> None:
    task = find(name)
    paths = {split: beside(data, f"{split}.parquet") for split in SPLITS}
    splits = {split: measured(task, iterate_parquet(path, task.schema)) for split, path in paths.items()}
    write_text(out, card(task, splits, iterate_parquet(paths["train"], task.schema), facts))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.output.card, j.wildcards.task, j.params.facts)
