"""Drop the test works of one shard, and take out what test sets from outside the corpus have too."""

from typing import Any

import pyarrow.parquet as pq

from discobench.corpus.contamination import Decontaminator, Found, Terms
from discobench.corpus.overlap import Index
from discobench.parquet import growing, iterate_tables, write_tables
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    index = Index(pq.read_table(beside(j.input.ngrams, "ngrams.parquet")), j.params.language)
    terms = {task: Terms(**chosen) for task, chosen in j.params.terms.items()}
    documents = iterate_tables(beside(j.input.manifest, "deduplicate.parquet"), "document")
    o = j.output
    with (
        growing(o.dropped, "dropped") as dropped,
        growing(o.contamination, "contamination") as spans,
        growing(o.overlap, "overlap") as overlaps,
    ):
        sieve, found = Sieve("decontaminate", dropped), Found(spans, overlaps)
        write_tables(o.data, map(Decontaminator(index, terms, sieve, found), documents), "document")
    write_tables(o.grams, [found.grams()], "gram")
    sieve.write(o.manifest, [o.data, o.dropped, o.contamination, o.overlap, o.grams])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
