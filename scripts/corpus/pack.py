"""Pack the documents of a checkpoint's languages into token arrays."""

from typing import Any

from discobench.corpus.encoders import load_tokenizer
from discobench.corpus.pack import Pack
from discobench.parquet import growing, iterate_tables
from discobench.progress import told
from discobench.records import beside
from discobench.sieve import PLACE, Sieve
from scripts.job import job


def main(j: Any) -> None:
    paths = [beside(manifest, "decontaminate.parquet") for manifest in j.input.manifests]
    pack = Pack(load_tokenizer(j.input.base.parent), j.params.genres, j.output.arrays)
    with growing(j.output.dropped, "dropped") as dropped, pack:
        sieve = Sieve("pack", dropped)
        for path in told(paths, "pack", "files", len(paths)):
            for table in iterate_tables(path, "document", COLUMNS):
                sieve.table(table, pack.add(table))
    sieve.balance.notes |= {"genres": j.params.genres, "tokens": pack.sizes()}
    sieve.write(j.output.manifest, [*j.output.arrays, j.output.dropped])


COLUMNS = ["id", "source", "language", "split", "text", *PLACE]

if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
