"""Parse the sentences of a shard into constituency trees."""

import shutil
from pathlib import Path
from typing import Any

from discobench.checkpoints import held
from discobench.files import read_json, sha256
from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.parser import load_pipeline
from discobench.synthesis.parsing import Limits, dropped_beside, parse
from discobench.trainer import state_folder
from scripts.job import job


def main(documents: Path, parser: Path, output: Any, p: Any) -> None:
    limits = Limits(p.max_tokens, p.batch_tokens, p.save_every)
    inputs = {"documents": sha256(documents), "parser": sha256(parser)}
    state = state_folder(Path(p.state), limits=limits, version=p.version, **inputs)
    records = iterate_parquet(beside(documents, "deduplicate.parquet"), "document")
    pipeline = load_pipeline(parser.parent, read_json(parser)["package"])
    with held(state):
        blocks = parse(records, pipeline, limits, state)
        balance = Balance("parse")
        dropped = [row for block in blocks for row in iterate_parquet(dropped_beside(block), "dropped")]
        balance.dropped.update(row["reason"] for row in dropped)
        write_parquet(output.dropped, dropped, "dropped")
        balance.keep(write_parquet(output.trees, (row for block in blocks for row in iterate_parquet(block, "tree")), "tree"))
        balance.write(output.manifest, balance.kept + len(dropped), [output.trees, output.dropped])
    shutil.rmtree(state)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.documents, j.input.parser, j.output, j.params)
