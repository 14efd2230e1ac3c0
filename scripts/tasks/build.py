"""Build the three files of one task."""

from pathlib import Path
from typing import Any

from discobench.parquet import write_parquet
from discobench.records import SPLITS
from discobench.sieve import Sieve
from discobench.tasks import task as find
from discobench.tasks.build import build, refused
from discobench.tasks.sources import Files, Origin, records
from discobench.tasks.windows import Windows, WindowTask
from scripts.job import job


def main(manifests: list[Path], out: Any, name: str, params: Any) -> str:
    task = find(name)
    if isinstance(task, WindowTask):
        task.windows = Windows(**params.windows)
    sieve = Sieve(f"tasks/{name}")
    files = [Files(Path(part["path"]), part["format"]) for part in params.files]
    rows = records(task, params.source, Origin(manifests, files, params.works))
    where = f"tasks.{name} ({', '.join(str(part.folder) for part in files) or params.source})"
    splits = build(task, rows, params.limit, sieve, where)
    paths = [getattr(out, split) for split in SPLITS]
    for split, path in zip(SPLITS, paths, strict=True):
        write_parquet(path, splits[split], task.schema)
    write_parquet(out.dropped, sieve.dropped, "dropped")
    sieve.write(out.balance, [*paths, out.dropped])
    return refused(sieve.dropped)


if __name__ == "__main__":
    with job(globals()) as j:
        if said := main(j.input.manifests, j.output, j.wildcards.task, j.params):
            j.say(said)
