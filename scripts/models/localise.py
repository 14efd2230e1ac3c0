"""Take a checkpoint from a folder of the user's, once it is checked."""

import logging
from pathlib import Path
from typing import Any

from discobench.errors import about
from discobench.models.sources import localise
from discobench.models.store import fresh_folder, size_line, write_manifest
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    folder = fresh_folder(j.output.manifest.parent)
    with about(f"checkpoints.{j.wildcards.checkpoint}.source"):
        localise(Path(p.path), folder, p.family)
    named = {"checkpoint": j.wildcards.checkpoint, "family": p.family, "language": p.language}
    manifest = write_manifest(folder, **named, source=f"path:{p.path}")
    logging.info("%s", size_line(manifest, p.printed))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
