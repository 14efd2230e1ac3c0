"""Read subtitle pairs and align their words."""

from pathlib import Path
from typing import Any

from discobench.parquet import write_parquet
from discobench.records import Balance
from discobench.synthesis.alignment import align, aligned, chinese_words, english_words
from discobench.synthesis.subtitles import read_pairs
from scripts.job import job


def main(folder: Path, pairs: Path, alignment: Path, manifest: Path, params: Any) -> None:
    balance = Balance("align")
    rows = list(read_pairs(folder, {"valid": params.valid}, params.seed, balance, params.marks))
    spans = [(chinese_words(row["zh"]), english_words(row["en"])) for row in rows]
    texts = [
        ([row["zh"][a:b] for a, b in zh], [row["en"][a:b].lower() for a, b in en])
        for row, (zh, en) in zip(rows, spans, strict=True)
    ]
    found = zip(rows, spans, align(texts, params.seed), strict=True)
    write_parquet(pairs, rows, "pair")
    write_parquet(alignment, (aligned(row["id"], *words, links) for row, words, links in found), "alignment")
    balance.write(manifest, balance.kept + balance.dropped.total(), [pairs, alignment])


if __name__ == "__main__":
    with job(globals()) as j:
        main(Path(j.params.path), j.output.pairs, j.output.alignment, j.output.manifest, j.params)
