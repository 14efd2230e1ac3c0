"""Estimate n-gram models of subtitles, words and marks, one per fold: from the episodes that are not in it."""

from pathlib import Path
from typing import Any

from discobench.parquet import read_parquet
from discobench.records import Balance, beside
from discobench.synthesis.perplexity import Estimate, build_model, fold_of
from discobench.synthesis.placing import segmented
from scripts.job import job

SHARE = 0.5
"""Of the job's memory for lmplz's sorting; the rest is for its tables of words and for Python."""


def main(aligned: Path, models: list[Path], manifest: Path, resources: Any, p: Any) -> None:
    balance = Balance("zpr_language_model")
    rows = read_parquet(beside(aligned, "pairs.parquet"), "pair")
    texts = [(fold_of(row["work_id"], p.folds), segmented(row["zh"])) for row in rows]
    balance.keep(len(rows))
    memory = int(resources.mem_mb * SHARE)
    estimate = Estimate(p.order, p.prune, p.discount_fallback, memory, Path(resources.tmpdir))
    for fold, model in enumerate(models):
        balance.notes[f"fold {fold}"] = build_model((text for own, text in texts if own != fold), model, estimate)
    balance.write(manifest, balance.kept, models)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.pairs, j.output.models, j.output.manifest, j.resources, j.params)
