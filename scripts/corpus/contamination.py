"""Gather what the shards share with test sets: spans as documents have them, genre by task, instance by instance."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discobench.corpus.exposure import exposure, overlaps, shared
from discobench.parquet import iterate_parquet, iterate_tables, write_parquet
from discobench.records import Balance, beside
from scripts.job import job


def main(j: Any) -> None:
    o, manifests = j.output, j.input.manifests
    count = write_parquet(o.data, rows(manifests, "contamination"), "contamination")
    told = overlaps(rows(manifests, "overlap"), iterate_parquet(o.data, "contamination"))
    write_parquet(o.overlaps, told, "overlaps")
    files = (beside(manifest, "gram.parquet") for manifest in manifests)
    known = shared(table for path in files for table in iterate_tables(path, "gram"))
    lines = (
        line
        for manifest in j.input.ngrams
        for table in iterate_tables(beside(manifest, "ngrams.parquet"), "ngrams")
        for line in exposure(table, manifest.parent.name, *known)
    )
    write_parquet(o.exposure, lines, "exposure")
    Balance("contamination", kept=count).write(o.manifest, count, [o.data, o.overlaps, o.exposure])


def rows(manifests: list[Path], name: str) -> Iterator[dict[str, Any]]:
    return (row for path in manifests for row in iterate_parquet(beside(path, f"{name}.parquet"), name))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
