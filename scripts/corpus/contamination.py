"""Gather the contaminated spans of all shards."""

from pathlib import Path

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from scripts.job import job

KEY = ("id", "start", "end", "task", "instance")


def main(manifests: list[Path], output: Path, manifest: Path) -> None:
    paths = [beside(path, "contamination.parquet") for path in manifests]
    rows = [row for path in paths for row in iterate_parquet(path, "contamination")]
    write_parquet(output, sorted(rows, key=lambda row: [row[name] for name in KEY]), "contamination")
    Balance("contamination", kept=len(rows)).write(manifest, len(rows), [output])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.manifests, j.output.data, j.output.manifest)
