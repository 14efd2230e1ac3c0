"""Drop candidates whose source reads oddly, by perplexities that are there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.filtering import PERPLEXITIES, Limits, judge
from scripts.job import job


def main(candidates: Path, scores: Path, output: Any, limits: Limits) -> None:
    balance = Balance("filter")

    def judged(decision: str) -> Iterator[dict[str, Any]]:
        records = iterate_parquet(beside(candidates, "candidates.parquet"), "te")
        found = iterate_parquet(beside(scores, "perplexities.parquet"), PERPLEXITIES)
        return (record for record in judge(records, found, limits) if record["decision"] == decision)

    def dropped() -> Iterator[dict[str, Any]]:
        for record in judged("dropped"):
            balance.drop(record["reason"])
            yield record

    balance.keep(write_parquet(output.kept, judged("kept"), "te"))
    total = balance.kept + write_parquet(output.dropped, dropped(), "te")
    balance.write(output.manifest, total, [output.kept, output.dropped])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.candidates, j.input.scores, j.output, Limits(j.params.max_perplexity, j.params.max_ratio))
