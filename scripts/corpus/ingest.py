"""Read one shard of a genre's raw files into documents."""

from collections.abc import Iterator
from typing import Any

from discobench.corpus.formats.base import Limits, Source
from discobench.corpus.ingest import Kind, ingest
from discobench.corpus.rules import read_rules
from discobench.corpus.sources import of_shard, read_sources
from discobench.parquet import growing, write_parquet
from discobench.records import beside, manifest_of
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    listing, total = beside(j.input.sources, "sources.jsonl"), manifest_of(j.input.sources)["bytes"]

    def chosen() -> Iterator[Source]:
        return of_shard(read_sources(listing), total, int(j.wildcards.shard), j.params.shards)

    rules, limits = read_rules(j.input.rules), Limits(**j.params.limits)
    with growing(j.output.dropped, "dropped") as dropped:
        sieve = Sieve("ingest", dropped)
        outcomes = ingest(j.wildcards.genre, Kind(**j.params.kind), chosen(), rules, limits, total / j.params.shards)
        write_parquet(j.output.data, sieve.kept(outcomes), "document")
    sieve.balance.notes["files"] = sum(1 for _ in chosen())
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
