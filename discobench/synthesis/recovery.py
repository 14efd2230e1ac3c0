"""The synthesis of zeros as the rules configure it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from discobench.synthesis.alignment import aligned_pairs
from discobench.synthesis.lines import line_of
from discobench.synthesis.placing import Refiner
from discobench.synthesis.pronouns import load_pronouns
from discobench.synthesis.quality import Labelled, part_of
from discobench.synthesis.zeros import Synthesis


def synthesis(pronouns: Path, models: Path, params: Any) -> Synthesis:
    """With the models ``fold-<fold>.binary`` of a folder; ``params`` are those of rule ``recover``."""
    import kenlm

    folds = [kenlm.Model(str(models / f"fold-{fold}.binary")) for fold in range(params.folds)]
    refiners = [Refiner(model, params.distance_cost, params.window) for model in folds]
    return Synthesis(load_pronouns(pronouns), params.roles, refiners)


def aligned_labels(
    labels: Sequence[Mapping[str, Any]], subtitles: Sequence[Mapping[str, Any]], seed: int
) -> Iterator[Labelled]:
    """Labelled rows (as ``mzprt.labelled`` reads them) aligned together with the pairs to train on."""
    links = aligned_pairs([*subtitles, *labels], seed)[len(subtitles) :]
    for row, found in zip(labels, links, strict=True):
        gold = {zero["offset"]: zero["pronoun"] for zero in row["zeros"]}
        yield Labelled(line_of(row, found), row["domain"], part_of(row["number"]), gold)
