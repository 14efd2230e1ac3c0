"""Clean one shard's documents, find their sentences and give each its split."""

from typing import Any

from discobench.corpus.clean import Cleaner, Limits
from discobench.corpus.rules import read_rules
from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    limits = Limits(p.min_units, p.max_repetition, p.min_language, p.max_document_bytes)
    cleaner = Cleaner(read_rules(j.input.rules), limits, p.shares, p.seed)
    records = iterate_parquet(beside(j.input.manifest, "ingest.parquet"), "document")
    sieve = Sieve("clean")
    write_parquet(j.output.data, sieve.kept(map(cleaner.clean, records)), "document")
    write_parquet(j.output.dropped, sieve.dropped, "dropped")
    sieve.balance.notes["separators"] = cleaner.separators
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
