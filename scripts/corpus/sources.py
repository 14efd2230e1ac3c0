"""List a genre's raw files with sizes and checksums."""

from pathlib import Path

from discobench.corpus.sources import list_sources
from discobench.files import write_json
from scripts.job import job


def main(genre: str, path: str, output: Path) -> None:
    files = list_sources(Path(path), f"genres.{genre}.path")
    write_json(output, {"genre": genre, "path": path, "files": files})


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.wildcards.genre, j.params.path, j.output.data)
