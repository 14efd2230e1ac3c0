"""Write the data card of one task."""

from pathlib import Path
from typing import Any

from discobench.files import write_text
from discobench.parquet import read_parquet
from discobench.records import SPLITS, beside
from discobench.tasks import task as find
from discobench.tasks.card import card
from scripts.job import job


def main(data: Path, out: Path, name: str, facts: Any) -> None:
    task = find(name)
    splits = {split: read_parquet(beside(data, f"{split}.parquet"), task.schema) for split in SPLITS}
    write_text(out, card(task, splits, facts))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.output.card, j.wildcards.task, j.params.facts)
