"""Find the documents of one language that repeat another."""

from typing import Any

from discobench.corpus.duplicates import duplicates, prints
from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    paths = [beside(manifest, "clean.parquet") for manifest in j.input.manifests]
    records = (record for path in paths for record in iterate_parquet(path, "document"))
    found = list(prints(records, p.permutations, p.ngram))
    rows = list(duplicates(found, p.permutations, p.threshold))
    write_parquet(j.output.data, rows, "duplicate")
    balance = Balance("duplicates", kept=len(found) - len(rows))
    for row in rows:
        balance.drop(row["reason"])
    balance.write(j.output.manifest, len(found), [j.output.data])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
