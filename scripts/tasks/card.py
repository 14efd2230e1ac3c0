"""Write the data card of one task."""

from pathlib import Path
from typing import Any

from discobench.files import write_text
from discobench.parquet import iterate_parquet
from discobench.records import beside
from discobench.tasks import task as find
from discobench.tasks.card import card
from discobench.tasks.measures import built
from scripts.job import job


def main(data: Path, out: Path, name: str, facts: Any) -> None:
    task = find(name)
    train = iterate_parquet(beside(data, "train.parquet"), task.schema)
    write_text(out, card(task, built(task, data), train, facts))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.data, j.output.card, j.wildcards.task, j.params.facts)
