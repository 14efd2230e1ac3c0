"""Draw a checkpoint from a seed, its vocabulary learned from the run's texts."""

import logging
from typing import Any

from discobench.models import family
from discobench.models.sources import vocabulary_texts
from discobench.models.store import fresh_folder, size_line, write_manifest
from scripts.job import job


def main(j: Any) -> None:
    p = j.params
    folder = fresh_folder(j.output.manifest.parent)
    texts = vocabulary_texts(dict(zip(p.tasks, j.input.tasks, strict=True)), j.input.documents)
    family(p.family).tiny(folder, texts, p.architecture | {"language": p.language}, p.seed)
    named = {"checkpoint": j.wildcards.checkpoint, "family": p.family, "language": p.language}
    manifest = write_manifest(folder, **named, source=p.source, seed=p.seed)
    logging.info("%s", size_line(manifest, p.printed))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j)
