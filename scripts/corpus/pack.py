"""Pack the documents of a checkpoint's languages into token arrays."""

from typing import Any

from discobench.corpus.pack import Pack, load_tokenizer
from discobench.parquet import iterate_parquet
from discobench.records import beside
from discobench.sieve import Sieve
from scripts.job import job


def main(j: Any) -> None:
    pack = Pack(load_tokenizer(j.input.base.parent), j.params.genres, j.output.manifest.parent)
    paths = [beside(manifest, "decontaminate.parquet") for manifest in j.input.manifests]
    records = (record for path in paths for record in iterate_parquet(path, "document"))
    sieve = Sieve("pack")
    for _ in sieve.kept(map(pack.add, records)):
        continue
    pack.write(j.output.arrays)
    sieve.balance.notes |= {"genres": j.params.genres, "tokens": pack.sizes()}
    sieve.write(j.output.manifest, j.output.arrays)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
