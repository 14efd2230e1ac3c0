"""Drop the documents of one shard that fail a filter or repeat another, and cut chapters that others have."""

from typing import Any

from discobench.corpus.deduplicate import Deduplicator
from discobench.corpus.verdicts import rows_between
from discobench.files import read_json
from discobench.parquet import iterate_tables, write_parquet, write_tables
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    rows = read_json(j.input.duplicates)["notes"]["rows"]["/".join(j.input.manifest.parent.parts[-2:])]
    sieve = Sieve("deduplicate")
    sift = Deduplicator(rows_between(beside(j.input.duplicates, "duplicates.parquet"), *rows), sieve)
    documents = iterate_tables(beside(j.input.manifest, "clean.parquet"), "document")
    write_tables(j.output.data, map(sift, documents), "document")
    write_parquet(j.output.dropped, sieve.dropped, "dropped")
    sieve.balance.notes |= sift.cut
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
