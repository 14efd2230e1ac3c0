"""Drop the test works of one shard, and what test sets from outside the corpus have too."""

from typing import Any

import pyarrow.parquet as pq

from discobench.corpus.contamination import Decontaminator, Index
from discobench.corpus.rules import read_rules
from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    index = Index(j.params.language, j.params.ngram)
    for manifest in j.input.tasks:
        index.add(manifest.parent.name, pq.read_table(beside(manifest, "test.parquet")).to_pylist())
    abbreviations = read_rules(j.input.rules).abbreviations
    check = Decontaminator(index, j.params.unit, j.params.threshold, abbreviations)
    records = iterate_parquet(beside(j.input.manifest, "deduplicate.parquet"), "document")
    sieve = Sieve("decontaminate")
    write_parquet(j.output.data, sieve.kept(map(check, records)), "document")
    write_parquet(j.output.dropped, sieve.dropped, "dropped")
    write_parquet(j.output.contamination, check.spans, "contamination")
    sieve.balance.notes |= {"ngrams": len(index.grams), "short_texts": index.short}
    sieve.write(j.output.manifest, [j.output.data, j.output.dropped, j.output.contamination])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
