"""Gather what the shards share with test sets: spans, genre by task, and instance by instance."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from discobench.corpus.exposure import exposure, overlaps
from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from scripts.job import job

KEY = ("id", "start", "end", "task", "instance")


def main(j: Any) -> None:
    spans = sorted(rows(j.input.manifests, "contamination"), key=lambda row: [row[name] for name in KEY])
    write_parquet(j.output.data, spans, "contamination")
    write_parquet(j.output.overlaps, overlaps(rows(j.input.manifests, "overlap"), spans), "overlaps")
    found = pa.concat_tables(pq.read_table(beside(manifest, "gram.parquet")) for manifest in j.input.manifests)
    seen, left = found["hash"].to_numpy(), found.filter(found["left"])["hash"].to_numpy()
    lines = (
        line
        for manifest in j.input.ngrams
        for line in exposure(pq.read_table(beside(manifest, "ngrams.parquet")), manifest.parent.name, seen, left)
    )
    write_parquet(j.output.exposure, lines, "exposure")
    outputs = [j.output.data, j.output.overlaps, j.output.exposure]
    Balance("contamination", kept=len(spans)).write(j.output.manifest, len(spans), outputs)


def rows(manifests: list[Path], name: str) -> list[dict[str, Any]]:
    return [row for path in manifests for row in iterate_parquet(beside(path, f"{name}.parquet"), name)]


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
