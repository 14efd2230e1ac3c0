"""Pack the data sets for others: texts where their licences allow it, else what rebuilds them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from discobench.files import read_text, write_json
from discobench.operations.release import Member, archive, lines
from discobench.parquet import iterate_parquet
from discobench.records import SPLITS, beside
from discobench.tasks import task as find
from discobench.tasks.card import without_examples
from scripts.job import job


def members(manifests: list[Path], cards: list[Path], texts: Mapping[str, bool], notice: str) -> Iterator[Member]:
    yield "README.md", [notice]
    for manifest, card, (name, allowed) in zip(manifests, cards, texts.items(), strict=True):
        text = read_text(card)
        yield f"{name}/card.md", [text if allowed else without_examples(text)]
        for split in SPLITS:
            records = iterate_parquet(beside(manifest, f"{split}.parquet"), find(name).schema)
            yield f"{name}/{split}.jsonl", lines(records, allowed)


def main(manifests: list[Path], cards: list[Path], packed: Path, sums: Path, params: Any) -> None:
    write_json(sums, archive(packed, members(manifests, cards, params.texts, params.notice)))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.manifests, j.input.cards, j.output.archive, j.output.sums, j.params)
        j.say(f"The data sets are in {j.output.archive}.")
