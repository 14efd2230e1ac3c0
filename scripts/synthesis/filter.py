"""Score candidates by cross-fitted language models and drop those whose source reads oddly."""

from pathlib import Path
from typing import Any

import kenlm

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.filtering import judge
from scripts.job import job


def main(candidates: Path, models: list[Path], output: Any, params: Any) -> None:
    folds = [kenlm.Model(str(beside(model, "model.binary"))) for model in models]
    balance = Balance("filter")
    records = iterate_parquet(beside(candidates, "candidates.parquet"), "te")
    kept, dropped = judge(records, folds, params.max_perplexity, params.max_ratio, balance)
    write_parquet(output.kept, kept, "te")
    write_parquet(output.dropped, dropped, "te")
    balance.write(output.manifest, len(kept) + len(dropped), [output.kept, output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.candidates, j.input.models, j.output, j.params)
