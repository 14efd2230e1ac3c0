"""Build the three files and the card of one task."""

from pathlib import Path
from typing import Any

from discobench.files import write_text
from discobench.parquet import write_parquet
from discobench.records import SPLITS, Balance
from discobench.tasks import task as find
from discobench.tasks.build import build
from discobench.tasks.card import card
from discobench.tasks.sources import records
from scripts.job import job


def main(manifests: list[Path], out: Any, name: str, params: Any) -> None:
    task = find(name)
    rows = list(records(task, params.source, manifests, params.path))
    balance = Balance(f"tasks/{name}")
    splits = build(task, rows, params.limit, balance, f"tasks.{name}")
    paths = [getattr(out, split) for split in SPLITS]
    for split, path in zip(SPLITS, paths, strict=True):
        write_parquet(path, splits[split], task.schema)
    write_text(out.card, card(task, splits, params.facts))
    balance.write(out.balance, len(rows), [*paths, out.card])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.manifests, j.output, j.wildcards.task, j.params)
