"""Perplexities of the candidates of a shard, by language models that never saw their books."""

from pathlib import Path

import kenlm

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.filtering import PERPLEXITIES, score
from scripts.job import job


def main(candidates: Path, models: list[Path], perplexities: Path, manifest: Path) -> None:
    folds = [kenlm.Model(str(beside(model, "model.binary"))) for model in models]
    records = iterate_parquet(beside(candidates, "candidates.parquet"), "te")
    balance = Balance("te_score")
    balance.keep(write_parquet(perplexities, score(records, folds, balance.notes), PERPLEXITIES))
    balance.write(manifest, balance.kept, [perplexities])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.candidates, j.input.models, j.output.perplexities, j.output.manifest)
