"""Drop the documents of one shard that repeat another."""

from typing import Any

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    rows = iterate_parquet(beside(j.input.duplicates, "duplicates.parquet"), "duplicate")
    reasons = {row["id"]: row["reason"] for row in rows}
    records = iterate_parquet(beside(j.input.manifest, "clean.parquet"), "document")
    sieve = Sieve("deduplicate")
    outcomes = ((record, reasons.get(record["id"])) for record in records)
    write_parquet(j.output.data, sieve.kept(outcomes), "document")
    write_parquet(j.output.dropped, sieve.dropped, "dropped")
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
