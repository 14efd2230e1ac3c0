"""Recover zero pronouns of subtitle lines from their English side."""

from collections import Counter
from pathlib import Path
from typing import Any

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import beside
from discobench.sieve import Sieve
from discobench.synthesis.lines import line_of
from discobench.synthesis.recovery import synthesis
from discobench.synthesis.zeros import TRAIL, recover, thinned
from scripts.job import job


def main(aligned: Path, models: Path, pronouns: Path, out: Any, params: Any) -> None:
    pairs = iterate_parquet(beside(aligned, "pairs.parquet"), "pair")
    alignments = iterate_parquet(beside(aligned, "alignment.parquet"), "alignment")
    lines = [line_of(pair, alignment) for pair, alignment in zip(pairs, alignments, strict=True)]
    counts: Counter[str] = Counter()
    trail: list[dict[str, Any]] = []
    records = recover(lines, synthesis(pronouns, models.parent, params), counts, trail)
    sieve = Sieve("recover")
    write_parquet(out.zeros, sieve.kept(thinned(records, params.unmarked)), "zpr")
    write_parquet(out.trail, trail, TRAIL)
    write_parquet(out.dropped, sieve.dropped, "dropped")
    sieve.balance.notes["pronouns"] = dict(counts)
    sieve.write(out.manifest, [out.zeros, out.trail, out.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.alignment, j.input.models, j.input.pronouns, j.output, j.params)
