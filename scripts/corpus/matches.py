"""Compare the documents of one language that share a key of one bucket."""

from itertools import accumulate
from typing import Any

from discobench.corpus.matches import candidates, entries, matches, narrower
from discobench.files import read_json
from discobench.parquet import write_tables
from discobench.progress import told
from discobench.records import Balance, beside
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    parts = [read_json(path)["notes"]["parts"] for path in j.input.manifests]
    firsts = [0, *accumulate(parts)][:-1]
    bands, signatures = (
        [beside(path, f"{name}.parquet") for path in j.input.manifests] for name in ("bands", "signatures")
    )
    chosen, buckets = narrower(bands, int(j.wildcards.bucket), p.buckets)
    narrow = told(chosen, "matches", "parts of the bucket", len(chosen))
    pieces = (piece for bucket in narrow for piece in entries(bands, firsts, bucket, buckets).pieces())
    tables = (matches(e, candidates(signatures, e.distinct(), p.permutations), p.threshold) for e in pieces)
    count = write_tables(j.output.data, tables, "match")
    Balance("matches", kept=count).write(j.output.manifest, count, [j.output.data])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
