"""List a genre's raw files with sizes and checksums, and how each may be divided."""

from typing import Any

from discobench.corpus.formats.base import Limits
from discobench.corpus.listing import Place
from discobench.corpus.sources import list_sources, written
from discobench.files import sha256, write_json
from scripts.job import job


def main(j: Any) -> None:
    genre, o = j.wildcards.genre, j.output
    files = list_sources(Place(f"genres.{genre}", **j.params.place), Limits(**j.params.limits))
    about = {"genre": genre, "path": j.params.place["path"], **written(o.files, files)}
    write_json(o.manifest, about | {"outputs": {o.files.name: sha256(o.files)}})


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
