"""Read one shard of a genre's raw files into documents."""

from typing import Any

from discobench.corpus.formats.base import Limits, Source
from discobench.corpus.ingest import Kind, ingest
from discobench.corpus.rules import read_rules
from discobench.corpus.sources import of_shard
from discobench.files import read_json
from discobench.parquet import write_parquet
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    files = read_json(j.input.sources)["files"]
    sources = [Source(**{key: value for key, value in entry.items() if key != "sha256"}) for entry in files]
    chosen = of_shard(sources, int(j.wildcards.shard), j.params.shards)
    rules, limits = read_rules(j.input.rules), Limits(**j.params.limits)
    sieve = Sieve("ingest")
    outcomes = ingest(j.wildcards.genre, Kind(**j.params.kind), chosen, rules, limits)
    write_parquet(j.output.data, sieve.kept(outcomes), "document")
    write_parquet(j.output.dropped, sieve.dropped, "dropped")
    sieve.balance.notes["files"] = len(chosen)
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
