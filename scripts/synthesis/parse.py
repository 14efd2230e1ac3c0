"""Parse the sentences of a shard into constituency trees."""

import shutil
from pathlib import Path
from typing import Any

from discobench.checkpoints import held
from discobench.files import read_json, sha256
from discobench.parquet import iterate_parquet, write_parquet
from discobench.records import Balance, beside
from discobench.synthesis.parser import load_pipeline
from discobench.synthesis.parsing import COUNTED, Limits, allowances, dropped_beside, parse
from discobench.trainer import state_folder
from scripts.job import job


def main(documents: Path, parser: Path, output: Any, limits: Limits, p: Any) -> None:
    inputs = {"documents": sha256(documents), "parser": sha256(parser)}
    blocks_of = {"max_tokens": limits.max_tokens, "save_every": limits.save_every, "per_work": p.per_work}
    state = state_folder(Path(p.state), version=p.version, **blocks_of, **inputs)
    source = beside(documents, "deduplicate.parquet")
    allowed = allowances(iterate_parquet(source, "document", COUNTED), p.per_work)
    pipeline = load_pipeline(parser.parent, read_json(parser)["package"])
    balance = Balance("parse")
    with held(state):
        blocks = parse(iterate_parquet(source, "document"), pipeline, limits, state, allowed)
        dropped = [row for block in blocks for row in iterate_parquet(dropped_beside(block), "dropped")]
        balance.dropped.update(row["reason"] for row in dropped)
        write_parquet(output.dropped, dropped, "dropped")
        trees = (row for block in blocks for row in iterate_parquet(block, "tree"))
        balance.keep(write_parquet(output.trees, trees, "tree"))
        received = sum(len(row["sentence_offsets"]) for row in iterate_parquet(source, "document", COUNTED))
        balance.write(output.manifest, received, [output.trees, output.dropped])
    shutil.rmtree(state)


if __name__ == "__main__":
    with job(globals()) as j:
        limits = Limits(j.params.max_tokens, j.resources.batch_tokens, j.resources.save_every)
        main(j.input.documents, j.input.parser, j.output, limits, j.params)
