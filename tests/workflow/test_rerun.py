"""No needless rerun: after each edit of a finished run, exactly what depends on it runs again."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.conftest import environment
from tests.workflow.plans import cells, plan

pytestmark = [pytest.mark.slow, pytest.mark.torch]

TASKS = ("si", "zpr", "mrc", "nt", "te")
TABLES = {"table 7", "table 11"}


def every(*rules: str) -> set[str]:
    return {f"{rule} {task}" for rule in rules for task in TASKS}


def touch_everything(root: Path) -> None:
    now = time.time()
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink() and ".snakemake" not in path.parts:
            os.utime(path, (now, now))


def append(path: str, text: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        with (root / path).open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)

    return edit


def comments(root: Path) -> None:
    for path in [
        *(root / "scripts").rglob("*.py"),
        *(root / "discobench").rglob("*.py"),
        *(root / "rules").glob("*.smk"),
    ]:
        append(str(path.relative_to(root)), "# a remark\n")(root)


def raised(stage: str) -> Callable[[Path], None]:
    return append(f"discobench/{stage}/__init__.py", "\nVERSION = VERSION + 1\n")


def first_again(path: str) -> Callable[[Path], None]:
    """Repeat the first record of a data file under an id of its own."""

    def edit(root: Path) -> None:
        line = (root / path).read_text("utf-8").split("\n")[0]
        append(path, line.replace('"id": "', '"id": "again-', 1) + "\n")(root)

    return edit


def keys(changes: dict) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        (root / "mine.yaml").write_text(yaml.safe_dump(changes), "utf-8")

    return edit


MATRIX: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "nothing": (lambda root: None, set()),
    "touched times": (touch_everything, set()),
    "comments in all code": (comments, set()),
    "a key of another stage": (keys({"corpus": {"min_language": 0.4}}), set()),
    "a key of another task": (keys({"finetune": {"tasks": {"cct": {"learning_rate": 0.5}}}}), set()),
    "a learning rate": (
        keys({"finetune": {"tasks": {"nt": {"learning_rate": 0.5}}}}),
        {"finetune nt", "decode nt", "score nt", "table 7"},
    ),
    "the learning rate of a ranked task": (
        keys({"finetune": {"tasks": {"mrc": {"learning_rate": 0.5}}}}),
        {"finetune mrc", "decode mrc", "score mrc", "rank mrc", *TABLES},
    ),
    "the version of decoding": (raised("decode"), every("decode", "score") | {"table 7"}),
    "the version of scoring": (raised("score"), every("score") | {"table 7"}),
    "the version of the report": (raised("report"), TABLES),
    "a changed suite": (first_again("resources/demo/diagnostic/mrc.jsonl"), {"rank mrc", "table 11"}),
    "a changed task": (
        first_again("resources/demo/tasks/nt/test.jsonl"),
        {"build nt", "initialise bart-large-zh", "rank mrc", *TABLES, *every("finetune", "decode", "score")},
    ),
}


@pytest.fixture
def finished(mini_root: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, times and Snakemake's records included."""
    root = tmp_path / "repository"
    shutil.copytree(mini_root, root, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "incomplete", "locks"))
    return root


@pytest.mark.parametrize("edit", MATRIX)
def test_an_edit_reruns_what_depends_on_it_and_nothing_else(finished: Path, edit: str):
    change, expected = MATRIX[edit]
    change(finished)
    yours = ["--configfile", "mine.yaml"] if (finished / "mine.yaml").exists() else []
    planned = plan(finished, "--profile", "profiles/demo", "--config", "preset=mini", *yours, "--", "all")
    assert cells(planned) == expected


def test_the_environment_of_the_tests_is_the_one_of_make():
    assert shutil.which("snakemake", path=environment()["PATH"])
