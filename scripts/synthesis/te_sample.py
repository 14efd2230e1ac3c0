"""Print some instances of text expansion for reading: other ones for another seed."""

from pathlib import Path

from discobench.files import write_text
from discobench.parquet import iterate_parquet
from discobench.records import beside
from discobench.synthesis.sample import marked, sample
from scripts.job import job


def main(manifests: list[Path], size: int, seed: int, path: Path) -> str:
    rows = (row for manifest in manifests for row in iterate_parquet(beside(manifest, "filter.parquet"), "te"))
    text = "\n".join(map(marked, sample(rows, size, seed)))
    write_text(path, text)
    return text


if __name__ == "__main__":
    with job(globals()) as j:
        j.say(main(j.input.kept, j.params.size, j.params.seed, j.output.sample))
