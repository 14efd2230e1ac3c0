"""Delete modifiers from the sentences of a shard: candidates for text expansion."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.instances import instances, paired
from discobench.synthesis.pruning import Pruning
from discobench.synthesis.rules import load_rules
from scripts.job import job


def main(documents: Path, parsed: Path, rules: Path, candidates: Path, manifest: Path, p: Any) -> None:
    pruning = Pruning(load_rules(rules), p.rates, p.delete_heads, p.sentences, p.seed, p.max_share)
    texts = iterate_parquet(beside(documents, "deduplicate.parquet"), "document")
    trees = iterate_parquet(beside(parsed, "trees.parquet"), "tree")
    balance, deleted = Balance("prune"), Counter[str]()
    received = 0

    def records() -> Iterator[dict[str, Any]]:
        nonlocal received
        for text, its_trees in paired(texts, trees):
            received += -(-len(text["sentence_offsets"]) // p.sentences)
            for record in instances(text, its_trees, pruning, balance):
                deleted.update(insertion["type"] for insertion in record["insertions"])
                yield record

    write_parquet(candidates, records(), "te")
    balance.notes["deleted"] = deleted
    balance.write(manifest, received, [candidates])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.documents, j.input.trees, j.input.rules, j.output.candidates, j.output.manifest, j.params)
