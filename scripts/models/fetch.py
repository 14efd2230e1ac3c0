"""Download a checkpoint from a hub; the only script that uses the network for models."""

from pathlib import Path
from typing import Any

from discobench.errors import about
from discobench.models.hub import fetch
from discobench.models.store import fresh_folder, write_manifest
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    folder = fresh_folder(j.output.manifest.parent)
    with about(f"checkpoints.{j.wildcards.checkpoint}.source"):
        commit = fetch(p.source, p.revision, folder, Path(p.lock), p.family)
    named = {"checkpoint": j.wildcards.checkpoint, "family": p.family, "language": p.language}
    write_manifest(folder, **named, source=f"hub:{p.source}", revision=commit)


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
