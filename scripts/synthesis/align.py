"""Read subtitle pairs and align their words."""

from pathlib import Path
from typing import Any

from discobench.parquet import write_parquet
from discobench.records import Balance
from discobench.synthesis.alignment import aligned_pairs
from discobench.synthesis.subtitles import read_pairs
from scripts.job import job


def main(folder: Path, pairs: Path, alignment: Path, manifest: Path, params: Any) -> None:
    balance = Balance("align")
    rows = list(read_pairs(folder, {"valid": params.valid}, params.seed, balance, params.marks))
    write_parquet(pairs, rows, "pair")
    write_parquet(alignment, aligned_pairs(rows, params.seed), "alignment")
    balance.write(manifest, balance.kept + balance.dropped.total(), [pairs, alignment])


if __name__ == "__main__":
    with job(globals()) as j:
        main(Path(j.params.path), j.output.pairs, j.output.alignment, j.output.manifest, j.params)
