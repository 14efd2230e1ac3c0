"""Parse the sentences of a shard into constituency trees."""

from pathlib import Path
from typing import Any

from discobench.files import read_json
from discobench.parquet import read_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.parser import load_pipeline
from discobench.synthesis.parsing import parse, within
from scripts.job import job


def main(documents: Path, parser: Path, trees: Path, manifest: Path, params: Any) -> None:
    records = read_parquet(beside(documents, "deduplicate.parquet"), "document")
    pipeline = load_pipeline(parser.parent, read_json(parser)["package"])
    balance = Balance("parse")
    chosen = within(records, params.per_work, balance)
    write_parquet(trees, parse(chosen, pipeline, params.max_tokens, balance), "tree")
    balance.write(manifest, sum(len(r["sentence_offsets"]) for r in records), [trees])


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.documents, j.input.parser, j.output.trees, j.output.manifest, j.params)
