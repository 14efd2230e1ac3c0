"""Discourse test sets of Bawden et al. 2018 (English to French): ``anaphora.json`` and ``lexical-choice.json``.

``src`` is [previous, current]. In ``anaphora.json`` ``trg`` is a list with ``correct`` or ``semi-correct``
(a wrong antecedent that its pronoun agrees with) beside ``incorrect``; in ``lexical-choice.json`` each of
``examples`` has one of each.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from discobench.diagnose.builder import Plan
from discobench.diagnose.formats._translations import translation
from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.sieve import Outcome
from discobench.tasks.base import Task

FILES = ("anaphora", "lexical-choice")
OTHER = "ambiguous words are no device of Table 3"


def read(task: Task, path: Path, plan: Plan) -> Iterator[Outcome]:
    """Every pair of candidates; raises DiscoError when neither file is there, or for one that is not of the format."""
    files = [path / f"{name}.json" for name in FILES if (path / f"{name}.json").exists()]
    if not files:
        raise DiscoError(f"{path} holds neither {' nor '.join(f'{name}.json' for name in FILES)}; name their folder.")
    for file in files:
        for key, item in read_json(file).items():
            try:
                yield from list(_item(task, f"bawden:{file.stem}:{key}", item))
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise DiscoError(f"{file}, item {key}: not as the sets were published ({error!r}); mend it.") from error


def _item(task: Task, id_: str, item: Mapping[str, Any]) -> Iterator[Outcome]:
    if "trg" in item:
        for n, target in enumerate(item["trg"]):
            yield _pair(task, f"{id_}:{n}", "reference", item["src"], target)
        return
    for n, example in enumerate(item["examples"]):
        if item["type"].startswith("repet"):
            yield _pair(task, f"{id_}:{n}", "repetition", example["src"], example["trg"])
        else:
            yield {"id": f"{id_}:{n}", "source": "bawden"}, OTHER


def _pair(task: Task, id_: str, device: str, source: list[str], target: Mapping[str, Any]) -> Outcome:
    before, right = target["correct"] if "correct" in target else target["semi-correct"]
    return translation(task, id_, device, source, [before], [right, target["incorrect"][1]])
