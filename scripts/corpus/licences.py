"""Put the licence of each genre beside what its raw files are."""

from pathlib import Path
from typing import Any

from discobench.corpus.licences import licences
from discobench.files import read_json
from discobench.parquet import write_parquet
from discobench.records import Balance
from scripts.job import job


def main(manifests: list[Path], genres: dict[str, Any], output: Path, manifest: Path) -> None:
    rows = licences(genres, map(read_json, manifests))
    write_parquet(output, rows, "licence")
    without = [row["source"] for row in rows if row["licence"] is None]
    Balance("licences", kept=len(rows), notes={"without": without}).write(manifest, len(genres), [output])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.manifests, j.params.genres, j.output.data, j.output.manifest)
