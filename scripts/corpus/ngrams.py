"""Hash the n-grams of the test sets that do not come from the corpus, for texts in one language."""

from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from discobench.corpus.ngrams import of_test_set
from discobench.parquet import write_parquet
from discobench.records import Balance, beside
from scripts.job import job


def main(j: Any) -> None:
    tasks = {manifest.parent.name: beside(manifest, "test.parquet") for manifest in j.input.tasks}
    rows = (
        row
        for task, path in sorted(tasks.items())
        for row in of_test_set(task, pq.read_table(path).to_pylist(), j.wildcards.language, j.params.ngram[task])
    )
    count = write_parquet(j.output.data, rows, "ngrams")
    found = pc.list_value_length(pq.read_table(j.output.data, columns=["hashes"])["hashes"])
    balance = Balance("ngrams", kept=count, notes={"without n-grams": pc.sum(pc.equal(found, 0)).as_py() or 0})
    balance.write(j.output.manifest, count, [j.output.data])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
