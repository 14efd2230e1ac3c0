"""Test suites of Cai and Xiong 2020, English and Chinese: ``conj.<language>`` and ``pron.<language>``, line by line.

A line is ``<context> _eos <current>``, some without the blanks. Only right translations are given; the
devices of the suite make the wrong ones, in either direction.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from discobench.diagnose.builder import NOTHING, Place, Plan, contrast
from discobench.diagnose.devices import broken
from discobench.diagnose.lexicon import lexicon
from discobench.diagnose.scene import Scene
from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.schema import CONTRASTIVE_FIELDS
from discobench.sieve import Outcome
from discobench.tasks.base import Task

END = "_eos"
WHOLE = "a side is not parted into context and current sentence"
SUITES = {"conj": "conjunction", "pron": "reference"}
SOURCE = "cai_xiong"


def read(task: Task, path: Path, plan: Plan) -> Iterator[Outcome]:
    """Every line; raises DiscoError naming a file that is absent or two that are not aligned."""
    for name, device in SUITES.items():
        source, target = (_lines(path / f"{name}.{language}") for language in task.languages)
        if len(source) != len(target):
            raise DiscoError(f"{path}/{name}.*: {len(source)} and {len(target)} lines; they must be aligned by line.")
        for n, sides in enumerate(zip(source, target, strict=True)):
            yield _instance(task, f"{SOURCE}:{name}:{n}", device, *sides, plan)


def _lines(path: Path) -> list[list[str]]:
    lines = read_text(path).removesuffix("\n").split("\n")
    return [[part.strip() for part in line.split(END)] for line in lines]


def _instance(task: Task, id_: str, device: str, source: list[str], target: list[str], plan: Plan) -> Outcome:
    if len(source) != 2 or len(target) != 2:
        return {"id": id_, "source": SOURCE}, WHOLE
    scene = Scene(task.languages[1], (target[0],), target[1])
    changes = broken(device, scene, lexicon(task.languages[1]))
    if not changes:
        return {"id": id_, "source": SOURCE}, NOTHING
    rng = Random(f"{plan.seed}:{id_}")
    made = contrast(Place(scene, {}), rng.choice(changes), rng, plan.alternatives)
    common = {"id": id_, "task": task.name, "type": device, "context": source[0], "current": source[1]}
    return dict.fromkeys(CONTRASTIVE_FIELDS) | common | {"target_context": target[:1]} | made, None
