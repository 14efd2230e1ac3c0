"""Estimate the n-gram model of one fold of a genre: from the works that are not in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discobench.parquet import iterate_parquet
from discobench.records import Balance, beside
from discobench.synthesis.perplexity import Estimate, build_model, fold_of
from scripts.job import job

SHARE = 0.5
"""Of the job's memory for lmplz's sorting; the rest is for its tables of words and for Python."""


def main(documents: list[Path], model: Path, manifest: Path, fold: int, resources: Any, p: Any) -> None:
    balance = Balance("te_language_model")

    def texts() -> Iterator[str]:
        for path in documents:
            for record in iterate_parquet(beside(path, "deduplicate.parquet"), "document"):
                if fold_of(record["work_id"], p.folds) == fold:
                    balance.drop("work of this fold")
                    continue
                balance.keep()
                yield record["text"]

    memory = int(resources.mem_mb * SHARE)
    estimate = Estimate(p.order, p.prune, p.discount_fallback, memory, Path(resources.tmpdir))
    balance.notes |= build_model(texts(), model, estimate)
    balance.write(manifest, balance.kept + balance.dropped.total(), [model])


if __name__ == "__main__":
    with job(globals()) as j:
        fold = int(j.wildcards.fold)
        main(j.input.documents, j.output.model, j.output.manifest, fold, j.resources, j.params)
