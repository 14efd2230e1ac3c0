"""Delete modifiers from the sentences of a shard: candidates for text expansion."""

from collections import Counter
from pathlib import Path
from typing import Any

from discobench.parquet import iterate_parquet, read_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.pruning import Pruning, by_document, instances
from discobench.synthesis.rules import load_rules
from scripts.job import job


def main(documents: Path, parsed: Path, rules: Path, candidates: Path, manifest: Path, params: Any) -> None:
    pruning = Pruning(load_rules(rules), params.rates, params.delete_heads, params.sentences, params.seed)
    trees = by_document(iterate_parquet(beside(parsed, "trees.parquet"), "tree"))
    texts = read_parquet(beside(documents, "deduplicate.parquet"), "document")
    balance = Balance("prune")
    records = [r for text in texts for r in instances(text, trees.get(text["id"], []), pruning, balance)]
    write_parquet(candidates, records, "te")
    balance.notes["insertions"] = dict(Counter(i["type"] for r in records for i in r["insertions"]))
    size = params.sentences
    balance.write(manifest, sum(-(-len(t["sentence_offsets"]) // size) for t in texts), [candidates])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.documents, j.input.trees, j.input.rules, j.output.candidates, j.output.manifest, j.params)
