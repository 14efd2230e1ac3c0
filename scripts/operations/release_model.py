"""Pack a continued-pretrained checkpoint for others, with its card and checksums."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discobench.files import blocks, read_json, write_json
from discobench.models.store import MANIFEST, read_manifest
from discobench.operations.model_card import FOLDER, model_card
from discobench.operations.release import Member, archive
from discobench.pretrain.stream import sizes
from discobench.records import manifest_of
from scripts.job import job


def members(model: Path, packed: Path, base: Path, facts: Any) -> Iterator[Member]:
    manifest, kind = read_manifest(model), read_json(model.parent / "config.json")["architectures"][0]
    counts = {split: sizes(packed, split) for split in ("train", "valid")}
    yield "README.md", [model_card(manifest, manifest_of(base), kind, counts, facts)]
    for name in (MANIFEST, *sorted(manifest["outputs"])):
        yield f"{FOLDER}/{name}", blocks(model.parent / name)


def main(model: Path, packed: Path, base: Path, path: Path, sums: Path, facts: Any) -> None:
    write_json(sums, archive(path, members(model, packed, base, facts)))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.model, j.input.packed, j.input.base, j.output.archive, j.output.sums, j.params.facts)
        j.say(f"The model is in {j.output.archive}.")
