"""Estimate the n-gram model of one fold: from the works that are not in it."""

from pathlib import Path
from typing import Any

from discobench.parquet import iterate_parquet
from discobench.records import Balance, beside
from discobench.synthesis.perplexity import build_model, fold_of
from scripts.job import job

SHARE = 0.5


def main(documents: list[Path], model: Path, manifest: Path, fold: int, memory_mb: int, params: Any) -> None:
    balance = Balance("te_language_model")

    def texts() -> Any:
        for path in documents:
            for record in iterate_parquet(beside(path, "deduplicate.parquet"), "document"):
                if fold_of(record["work_id"], params.folds) == fold:
                    balance.drop("work of this fold")
                    continue
                balance.keep()
                yield record["text"]

    memory = int(memory_mb * SHARE)
    balance.notes |= build_model(texts(), model, params.order, params.prune, params.discount_fallback, memory)
    balance.write(manifest, balance.kept + balance.dropped.total(), [model])


if __name__ == "__main__":
    with job(globals()) as j:
        fold = int(j.wildcards.fold)
        main(j.input.documents, j.output.model, j.output.manifest, fold, j.resources.mem_mb, j.params)
