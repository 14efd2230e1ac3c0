"""Document-MT-LLM (Wang et al. 2023): chapters of web fiction with their English, for NT.

``Orignal_Dataset/Fiction/<n>.zh`` and ``.en`` (its spelling) are aligned by line. Documents that only
``_Dataset/Document_Level/Fiction`` has stand there on one line each and are one pair. Document n is the n-th of mZPRT's
``Web_Fiction_test``, and its work the same, so that a task that reads both has it in one split.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from discobench.errors import DiscoError
from discobench.files import read_text
from discobench.records import record_id
from discobench.sieve import Outcome
from discobench.tasks.base import Task
from discobench.tasks.formats import mzprt
from discobench.tasks.formats._pairs import pairs
from discobench.tasks.translation import Translation

SOURCE = "document-mt-llm"
FOLDERS = ("Orignal_Dataset/Fiction", "_Dataset/Document_Level/Fiction")
"""The first that has a document is read."""


def read(task: Task, folder: Path, splits: Sequence[str]) -> Iterator[Outcome]:
    """Every line of every document; raises DiscoError for sides that differ in their lines, or for another task."""
    if not isinstance(task, Translation) or task.languages != ("zh", "en"):
        raise DiscoError(
            f"tasks.{task.name}.files: format document_mt_llm has no records for this task; name another format."
        )
    found = {path.stem: path for name in reversed(FOLDERS) for path in (folder / name).glob("*.zh")}
    if not found:
        raise DiscoError(f"{folder} holds no {FOLDERS[0]}/<n>.zh; it must be a copy of the repository.")
    for name, path in sorted(found.items()):
        sides = [_lines(path), _lines(path.with_suffix(".en"))]
        if len(sides[0]) != len(sides[1]):
            raise DiscoError(f"{path} has {len(sides[0])} lines and its .en {len(sides[1])}; align them line by line.")
        records = pairs(task, SOURCE, f"Fiction-{name}", "0", zip(*sides, strict=True), work_id=_work(name))
        yield from ((record, None) for record in records)


def _work(name: str) -> str:
    number = int(name) if name.isdecimal() else 0
    domain = f"{mzprt.FICTION}_test-{number:03d}" if number else f"{mzprt.FICTION}-{name}"
    return record_id(mzprt.SOURCE, domain, "").removesuffix(":")


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in read_text(path).removesuffix("\n").split("\n")]
