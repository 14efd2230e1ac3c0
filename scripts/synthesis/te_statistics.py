"""What was deleted, how much, and what other limits of perplexity would keep: figures and a plot."""

from pathlib import Path
from typing import Any

from discobench.files import read_json, whole, write_json
from discobench.parquet import iterate_parquet
from discobench.records import beside
from discobench.report.expansions import plot
from discobench.synthesis.filtering import PERPLEXITIES, Limits
from discobench.synthesis.statistics import expansion_statistics
from scripts.job import job


def main(inputs: Any, statistics: Path, figure: Path, limits: Limits) -> None:
    pruned = [read_json(path)["notes"] for path in inputs.pruned]
    scores = (row for m in inputs.scores for row in iterate_parquet(beside(m, "perplexities.parquet"), PERPLEXITIES))
    kept = (row for m in inputs.kept for row in iterate_parquet(beside(m, "filter.parquet"), "te"))
    found = expansion_statistics(kept, scores, pruned, limits)
    write_json(statistics, found)
    with whole(figure) as temporary:
        plot(found, temporary)


if __name__ == "__main__":
    with job(globals()) as j:
        limits = Limits(j.params.max_perplexity, j.params.max_ratio)
        main(j.input, j.output.statistics, j.output.figure, limits)
