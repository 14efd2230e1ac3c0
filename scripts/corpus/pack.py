"""Pack the documents of a shard into token arrays."""

from typing import Any

from discobench.corpus.encoders import load_tokenizer
from discobench.corpus.pack import Pack
from discobench.parquet import growing, iterate_tables
from discobench.records import beside
from discobench.sieve import PLACE, Sieve
from scripts.job import job


def main(j: Any) -> None:
    pack = Pack(load_tokenizer(j.input.tokenizer.parent), j.output.arrays)
    with growing(j.output.dropped, "dropped") as dropped, pack:
        sieve = Sieve("pack", dropped)
        for table in iterate_tables(beside(j.input.manifest, "decontaminate.parquet"), "document", COLUMNS):
            sieve.table(table, pack.add(table))
        sieve.balance.notes |= {"genre": j.wildcards.genre, **pack.sizes()}
    sieve.write(j.output.manifest, [*j.output.arrays, j.output.dropped])


COLUMNS = ["id", "source", "language", "split", "text", *PLACE]

if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
