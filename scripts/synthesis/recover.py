"""Recover zero pronouns of subtitle lines from their English side."""

from collections import Counter
from pathlib import Path
from typing import Any

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import beside
from discobench.sieve import Sieve
from discobench.synthesis.zeros import line_of, load_pronouns, recover, thinned
from scripts.job import job


def main(aligned: Path, pronouns: Path, out: Any, params: Any) -> None:
    pairs = iterate_parquet(beside(aligned, "pairs.parquet"), "pair")
    alignments = iterate_parquet(beside(aligned, "alignment.parquet"), "alignment")
    lines = [line_of(pair, alignment) for pair, alignment in zip(pairs, alignments, strict=True)]
    counts: Counter[str] = Counter()
    records = recover(lines, load_pronouns(pronouns), counts)
    sieve = Sieve("recover")
    write_parquet(out.zeros, sieve.kept(thinned(records, params.unmarked)), "zpr")
    write_parquet(out.dropped, sieve.dropped, "dropped")
    sieve.balance.notes["pronouns"] = dict(counts)
    sieve.write(out.manifest, [out.zeros, out.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.alignment, j.input.pronouns, j.output, j.params)
