"""Decide which documents of one language stay, or which of their chapters: filters first, then repetitions."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from discobench.corpus.duplicates import decide
from discobench.corpus.filters import Limits, failing_parts
from discobench.corpus.verdicts import Verdicts
from discobench.parquet import iterate_tables, write_tables
from discobench.records import Balance, beside
from scripts.job import job


def main(j: Any) -> None:
    shards = ["/".join(path.parent.parts[-2:]) for path in j.input.signatures]
    signatures = [beside(path, "signatures.parquet") for path in j.input.signatures]
    attributes = [beside(path, "attributes.parquet") for path in j.input.cleans]
    found = [beside(path, "matches.parquet") for path in j.input.matches]

    def matches() -> Iterator[pa.Table]:
        return (table for path in found for table in iterate_tables(path, "match"))

    failing = failing_parts(attributes, signatures, Limits(**j.params.limits))
    verdicts = Verdicts(decide(failing, matches), dict(zip(shards, signatures, strict=True)))
    write_tables(j.output.data, verdicts.tables(), "duplicate")
    balance = Balance("duplicates", verdicts.kept, verdicts.dropped, {"rows": verdicts.rows})
    balance.write(j.output.manifest, len(failing), [j.output.data])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
