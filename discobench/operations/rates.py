"""Speeds and sizes that a forecast reckons with, each with where it comes from, and how large models are."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints

from discobench.config.load import read_as
from discobench.config.strict import Language, Rate, Strict
from discobench.config.types import Config
from discobench.errors import DiscoError

KINDS = ("measured", "public", "reckoned", "assumed")
"""Where a figure comes from: this project's own runs, what others print, arithmetic, or nowhere."""
UNITS = {"M": 1e6, "B": 1e9}
PLAIN = {"transformer": (512, 6), "transformer_wmt_en_de_big": (1024, 6)}
"""Width and layers of fairseq's architectures (Vaswani et al. 2017, table 3)."""
TWO_SIDED = ("plain", "bart", "mbart", "t5")
UNKNOWN = {"vocabulary": 2000, "hidden": 64, "layers": 2}
"""About what a `tiny` model is where its entry does not say."""


Origin = Annotated[str, StringConstraints(pattern=f"^({'|'.join(KINDS)}): .")]


class Figure(Strict):
    """A value and where it comes from."""

    value: Rate
    origin: Origin


class Processor(Strict):
    """Operations per second of a GPU or a core, and the part of them that each kind of work reaches."""

    flops: Rate
    name: str = "core"
    origin: Origin
    share: dict[str, Figure]

    def hours(self, operations: float, work: str) -> float:
        """Hours that this many operations take."""
        share = self.share.get(work) or self.share["all"]
        return operations / (self.flops * share.value) / 3600


class Rates(Strict):
    """resources/forecast.yaml."""

    gpu: Processor
    cpu: Processor
    corpus: dict[Language, dict[str, Figure]]
    bytes: dict[Language, Figure]
    seconds: dict[str, Figure]
    asked: dict[str, Figure]
    suites: dict[str, Figure]
    disk: dict[str, Figure]

    def origins(self) -> list[tuple[str, str]]:
        """Every figure with where it comes from, in the order of the file."""
        tables: dict[str, dict[str, Figure]] = {"gpu.share": self.gpu.share, "cpu.share": self.cpu.share}
        tables |= {f"corpus.{language}": table for language, table in self.corpus.items()}
        tables |= {"bytes": {str(key): figure for key, figure in self.bytes.items()}}
        tables |= {"seconds": self.seconds, "asked": self.asked, "suites": self.suites, "disk": self.disk}
        chips = (("gpu", self.gpu), ("cpu", self.cpu))
        return [
            *((f"{where}.flops", f"{chip.flops:g}; {chip.name}: {chip.origin}") for where, chip in chips),
            *((f"{t}.{k}", f"{f.value:g}; {f.origin}") for t, table in tables.items() for k, f in table.items()),
        ]


def read_rates(path: Path) -> Rates:
    """Read the table; raises DiscoError naming the key at fault."""
    return read_as(Rates, path)


def parameters(config: Config, checkpoint: str) -> float:
    """How many parameters a checkpoint has: as the paper prints it, else by its architecture, else its base's.

    By architecture: 12 squares of the width for a layer, 16 for one that also looks at an encoder, and the embeddings
    (Kaplan et al. 2020, table 1, with their n_embd parameters).
    """
    entry = config.checkpoints[checkpoint]
    start = config.checkpoints[entry.base] if entry.base else entry
    tiny = start.source.startswith("tiny:")
    if entry.paper.parameters and not tiny:
        return read_count(entry.paper.parameters)
    if entry.base:
        return parameters(config, entry.base)
    shape = UNKNOWN | entry.architecture
    width, layers = PLAIN.get(str(shape.get("arch")), (shape["hidden"], shape["layers"]))
    if tiny and "hidden" in entry.architecture:
        width, layers = shape["hidden"], shape["layers"]
    squares = 28 if entry.family in TWO_SIDED else 12
    return float(squares * float(layers) * float(width) ** 2 + float(shape["vocabulary"]) * float(width))


def read_count(text: str) -> float:
    """``406M`` as a number."""
    found = re.fullmatch(r"([\d.]+)([MB])", text.upper())
    if not found:
        raise DiscoError(f"checkpoints: paper.parameters is {text!r}; write a number and M or B, like 406M.")
    return float(found[1]) * UNITS[found[2]]
