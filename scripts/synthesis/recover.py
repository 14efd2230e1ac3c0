"""Recover zero pronouns of subtitle lines from their English side."""

from collections import Counter
from pathlib import Path

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.zeros import line_of, load_pronouns, recover
from scripts.job import job


def main(aligned: Path, pronouns: Path, zeros: Path, manifest: Path) -> None:
    pairs = iterate_parquet(beside(aligned, "pairs.parquet"), "pair")
    alignments = iterate_parquet(beside(aligned, "alignment.parquet"), "alignment")
    lines = [line_of(pair, alignment) for pair, alignment in zip(pairs, alignments, strict=True)]
    counts: Counter[str] = Counter()
    records = recover(lines, load_pronouns(pronouns), counts)
    write_parquet(zeros, records, "zpr")
    balance = Balance("recover", kept=len(records), notes={"pronouns": dict(counts)})
    balance.write(manifest, len(lines), [zeros])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.alignment, j.input.pronouns, j.output.zeros, j.output.manifest)
