"""Count documents, sentences, characters and words of each genre."""

from pathlib import Path

from discobench.corpus.statistics import COLUMNS, statistics
from discobench.parquet import iterate_tables, write_parquet
from discobench.records import Balance, beside
from scripts.job import job


def main(manifests: list[Path], output: Path, manifest: Path) -> None:
    paths = [beside(path, "deduplicate.parquet") for path in manifests]
    rows = statistics(table for path in paths for table in iterate_tables(path, "document", COLUMNS))
    write_parquet(output, rows, "statistics")
    total = sum(row["documents"] for row in rows)
    Balance("statistics", kept=total).write(manifest, total, [output])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.manifests, j.output.data, j.output.manifest)
