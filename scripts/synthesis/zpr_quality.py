"""Hold recovered zero pronouns of labelled pairs against the labels."""

from pathlib import Path
from typing import Any

from discobench.errors import DiscoError
from discobench.files import write_json
from discobench.parquet import read_parquet
from discobench.records import beside
from discobench.synthesis.quality import quality
from discobench.synthesis.recovery import aligned_labels, synthesis
from discobench.tasks.formats.mzprt import labelled
from scripts.job import job


def main(aligned: Path, models: Path, pronouns: Path, out: Path, params: Any) -> None:
    if params.labelled is None:
        raise DiscoError("synthesis.zpr.labelled: found null; name a folder of labelled pairs in the form of mZPRT.")
    subtitles = read_parquet(beside(aligned, "pairs.parquet"), "pair")
    rows = [*aligned_labels(list(labelled(Path(params.labelled))), subtitles, params.seed)]
    write_json(out, quality(rows, synthesis(pronouns, models.parent, params)))


if __name__ == "__main__":
    with job(globals()) as j:
        main(j.input.alignment, j.input.models, j.input.pronouns, j.output.quality, j.params)
