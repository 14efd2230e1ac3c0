"""Sign the documents of one shard, or their chapters, and list the keys by which they are compared."""

from typing import Any

from discobench.corpus.rules import read_rules
from discobench.corpus.signatures import Signer, bands
from discobench.parquet import iterate_tables, write_tables
from discobench.records import Balance, beside
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    rules = read_rules(j.input.rules) if p.repeats == "chapter" else None
    signer = Signer(rules, p.permutations, p.ngram)
    documents = iterate_tables(beside(j.input.manifest, "clean.parquet"), "document", ["id", "text"], 1 << 20)
    parts = write_tables(j.output.data, map(signer, documents), "signature")
    stored = iterate_tables(j.output.data, "signature", ["sha256", "signature"])
    write_tables(j.output.bands, bands(stored, p.permutations, p.threshold), "band")
    balance = Balance("signatures", kept=signer.documents, notes={"parts": parts})
    balance.write(j.output.manifest, signer.documents, [j.output.data, j.output.bands])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
