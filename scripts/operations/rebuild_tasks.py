"""Put the texts back into an archive of data sets, from the tasks that were built here."""

from pathlib import Path

from discobench.files import write_jsonl
from discobench.operations.rebuild import rebuilt, released
from discobench.parquet import iterate_parquet
from discobench.records import SPLITS, beside
from discobench.tasks import task as find
from scripts.job import job


def main(manifests: list[Path], archive: Path, names: list[str], folder: Path) -> None:
    for name, manifest in zip(names, manifests, strict=True):
        for split in SPLITS:
            own = iterate_parquet(beside(manifest, f"{split}.parquet"), find(name).schema)
            found = rebuilt(released(archive, f"{name}/{split}.jsonl"), own, f"{archive}, {name}/{split}.jsonl")
            write_jsonl(folder / name / f"{split}.jsonl", found)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.manifests, j.input.archive, j.params.tasks, j.output.folder)
        j.say(f"The data sets with their texts are in {j.output.folder}.")
