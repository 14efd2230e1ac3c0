"""Consistency sets of Voita, Sennrich and Titov 2019 (English to Russian): ``<phenomenon>_<part>.json``.

A list of objects: ``src`` and each of ``dst`` are sentences joined by ``_eos``, ``true_ind`` says which
candidate is right, which is not always the first.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discobench.diagnose.builder import Plan
from discobench.diagnose.formats._translations import translation
from discobench.errors import DiscoError
from discobench.files import read_json
from discobench.sieve import Outcome
from discobench.tasks.base import Task

END = " _eos"
DEVICES = {"deixis": "reference", "lex_cohesion": "repetition", "ellipsis_infl": "ellipsis", "ellipsis_vp": "ellipsis"}


def read(task: Task, path: Path, plan: Plan) -> Iterator[Outcome]:
    """Every instance; candidates of deixis differ before the last sentence too, so that all is the candidate.

    Raises DiscoError when there is no such file, or for one that is not of the format.
    """
    files = [file for file in sorted(path.glob("*.json")) if _device(file)]
    if not files:
        raise DiscoError(f"{path} holds no <phenomenon>_<part>.json of {', '.join(DEVICES)}; name their folder.")
    for file in files:
        for n, row in enumerate(read_json(file)):
            try:
                yield _instance(task, f"voita:{file.stem}:{n}", _device(file), row)
            except (KeyError, TypeError, IndexError, AttributeError) as error:
                raise DiscoError(f"{file}, item {n}: src, dst and true_ind are needed ({error!r}); mend it.") from error


def _device(file: Path) -> str:
    return next((device for name, device in DEVICES.items() if file.stem.startswith(f"{name}_")), "")


def _instance(task: Task, id_: str, device: str, row: dict[str, Any]) -> Outcome:
    source = [part.strip() for part in row["src"].split(END)]
    candidates = [" ".join(part.strip() for part in text.split(END)) for text in row["dst"]]
    right = candidates.pop(row["true_ind"])
    return translation(task, id_, device, source, [], [right, *candidates])
