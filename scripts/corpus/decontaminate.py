"""Drop the test works of one shard, and take out what test sets from outside the corpus have too."""

from typing import Any

import pyarrow.parquet as pq

from discobench.corpus.contamination import Decontaminator, Terms
from discobench.corpus.overlap import Index
from discobench.parquet import iterate_tables, write_parquet, write_tables
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    index = Index(pq.read_table(beside(j.input.ngrams, "ngrams.parquet")), j.params.language)
    terms = {task: Terms(**chosen) for task, chosen in j.params.terms.items()}
    sieve = Sieve("decontaminate")
    check = Decontaminator(index, terms, sieve)
    documents = beside(j.input.manifest, "deduplicate.parquet")
    write_tables(j.output.data, map(check, iterate_tables(documents, "document")), "document")
    write_parquet(j.output.dropped, sieve.dropped, "dropped")
    write_parquet(j.output.contamination, check.found.spans, "contamination")
    write_parquet(j.output.overlap, check.found.overlaps, "overlap")
    write_tables(j.output.grams, [check.found.grams()], "gram")
    o = j.output
    sieve.write(o.manifest, [o.data, o.dropped, o.contamination, o.overlap, o.grams])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
