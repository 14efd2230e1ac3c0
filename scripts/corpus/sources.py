"""List a genre's raw files with sizes and checksums, and how each may be divided."""

from typing import Any

from discobench.corpus.formats.base import Limits
from discobench.corpus.listing import Place
from discobench.corpus.sources import list_sources
from discobench.files import write_json
from scripts.job import job


def main(j: Any) -> None:
    genre = j.wildcards.genre
    files = list_sources(Place(f"genres.{genre}", **j.params.place), Limits(**j.params.limits))
    write_json(j.output.data, {"genre": genre, "path": j.params.place["path"], "files": files})


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
