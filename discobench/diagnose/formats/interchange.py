"""The project's own format: a file of JSON Lines with the fields of a contrastive instance."""

from collections.abc import Iterator
from pathlib import Path

from discobench.diagnose.builder import Plan
from discobench.diagnose.suite import check_suite
from discobench.files import read_jsonl
from discobench.sieve import Outcome
from discobench.tasks.base import Task


def read(task: Task, path: Path, plan: Plan) -> Iterator[Outcome]:
    """Every instance as it stands; raises DiscoError naming file, line and field of a fault."""
    return ((row, None) for row in check_suite(read_jsonl(path), task, str(path)))
