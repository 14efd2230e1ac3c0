"""Drop the documents of one shard that fail a filter or repeat another, and cut chapters that others have."""

from typing import Any

from discobench.corpus.deduplicate import Deduplicator
from discobench.corpus.verdicts import rows_between
from discobench.files import read_json
from discobench.parquet import growing, iterate_tables, write_tables
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    rows = read_json(j.input.duplicates)["notes"]["rows"]["/".join(j.input.manifest.parent.parts[-2:])]
    decisions = rows_between(beside(j.input.duplicates, "duplicates.parquet"), *rows)
    documents = iterate_tables(beside(j.input.manifest, "clean.parquet"), "document")
    with growing(j.output.dropped, "dropped") as dropped:
        sieve = Sieve("deduplicate", dropped)
        sift = Deduplicator(decisions, sieve)
        write_tables(j.output.data, map(sift, documents), "document")
        sift.finish()
    sieve.balance.notes |= sift.cut
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
