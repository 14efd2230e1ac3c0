"""Read one shard of a genre's raw files into documents."""

from typing import Any

from discobench.corpus.ingest import Kind, ingest
from discobench.corpus.rules import read_rules
from discobench.corpus.sources import Source, of_shard
from discobench.files import read_json
from discobench.parquet import write_parquet
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    files = [Source(entry["path"], entry["bytes"]) for entry in read_json(j.input.sources)["files"]]
    chosen = of_shard(files, int(j.wildcards.shard), j.params.shards)
    outcomes = ingest(j.wildcards.genre, Kind(**j.params.kind), chosen, read_rules(j.input.rules))
    sieve = Sieve("ingest")
    write_parquet(j.output.data, sieve.kept(outcomes), "document")
    write_parquet(j.output.dropped, sieve.dropped, "dropped")
    sieve.balance.notes["files"] = len(chosen)
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
