"""Clean one shard's documents, find their sentences, give each its split and, beside the text, its scores."""

from typing import Any

from discobench.corpus.clean import Cleaner, Forms
from discobench.corpus.rules import read_rules
from discobench.parquet import growing_tables, iterate_tables, write_tables
from discobench.records import Balance, beside
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    documents = iterate_tables(beside(j.input.manifest, "ingest.parquet"), "document", size=1 << 20)
    with growing_tables(j.output.attributes, "attributes") as scores:
        cleaner = Cleaner(read_rules(j.input.rules), p.language, Forms(p.width, p.simplify), p.shares, p.seed, scores)
        count = write_tables(j.output.data, map(cleaner, documents), "document")
    balance = Balance("clean", kept=count, notes=cleaner.notes)
    balance.write(j.output.manifest, count, [j.output.data, j.output.attributes])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
