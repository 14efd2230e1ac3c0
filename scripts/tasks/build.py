"""Build the three files and the card of one task."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discobench.files import read_jsonl, write_text
from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import SPLITS, Balance, beside
from discobench.tasks import task as find
from discobench.tasks.build import build, complete
from discobench.tasks.card import card
from discobench.tasks.windows import WindowTask
from scripts.job import job


def from_files(folder: str, splits: tuple[str, ...], schema: str) -> Iterator[dict[str, Any]]:
    for split in splits:
        path = Path(folder) / f"{split}.jsonl"
        yield from (complete(row | {"split": split}, schema, str(path)) for row in read_jsonl(path))


def rows_of(source: str, manifests: list[Path], params: Any, task: Any) -> Iterator[dict[str, Any]]:
    if source == "te":
        for manifest in manifests:
            yield from iterate_parquet(beside(manifest, "filter.parquet"), "te")
    elif source == "corpus":
        if not isinstance(task, WindowTask):
            raise TypeError(f"task {task.name} cannot be cut from the corpus")
        for manifest in manifests:
            for document in iterate_parquet(beside(manifest, "deduplicate.parquet"), "document"):
                yield from task.records(document)
    elif source == "zpr":
        zeros = iterate_parquet(beside(manifests[0], "zeros.parquet"), "zpr")
        yield from (row for row in zeros if row["split"] == "train")
        yield from from_files(params.path, ("valid", "test"), task.schema)
    else:
        yield from from_files(params.path, SPLITS, task.schema)


def main(manifests: list[Path], out: Any, name: str, params: Any) -> None:
    task = find(name)
    rows = list(rows_of(params.source, manifests, params, task))
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
