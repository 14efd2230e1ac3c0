"""Line up the packed shards that a checkpoint is pretrained on."""

from typing import Any

from discobench.corpus.encoders import check_alike, load_tokenizer
from discobench.corpus.index import write_index
from scripts.job import job


def main(j: Any) -> None:
    base, tokenizer = (manifest.parent for manifest in (j.input.base, j.input.tokenizer))
    if base != tokenizer:
        check_alike(load_tokenizer(base), load_tokenizer(tokenizer), base.name, tokenizer.name)
    write_index(j.output.manifest, j.input.manifests, j.output.documents)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
