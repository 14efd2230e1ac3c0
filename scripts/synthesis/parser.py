"""Provide the constituency parser: trained here, copied from a folder, or downloaded."""

from pathlib import Path
from typing import Any

from discobench.synthesis.parser import copy_models, download_models, folder_of, write_parser
from scripts.job import job


def main(manifest: Path, params: Any) -> None:
    folder = manifest.parent
    package, scores = "default", {}
    if params.source == "treebank":
        from discobench.synthesis.training import train_parser

        scores = train_parser(folder_of(params.path), folder, params.steps, params.seed)
    elif params.source == "path":
        package = params.package
        copy_models(folder_of(params.path), folder)
    else:
        package = params.package
        download_models(package, folder)
    write_parser(manifest, {"source": params.source, "package": package, "language": "en", "scores": scores})


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.output.manifest, j.params)
