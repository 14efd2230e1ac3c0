"""The how-tos, followed to the letter in a fresh copy: what they say to write and to run is written and run."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from discobench.files import read_json, read_text, write_text
from tests.conftest import ROOT, copy_of_repository, environment

HOWTOS = ROOT / "docs" / "howto"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CELLS = {
    "own-data": ["zpr/majority", "zpr/copy", "zpr/roberta-base"],
    "own-model": ["si/majority", "si/my-bert"],
    "own-task": ["punctuation/copy", "punctuation/bart-large"],
}
"""How-to -> the cells that it scores."""
LONGEST = 80


def blocks(name: str) -> Iterator[tuple[str, str, str]]:
    """Language, file (or nothing) and text of every fenced block of a how-to."""
    for match in BLOCK.finditer(read_text(HOWTOS / f"{name}.md")):
        yield match[1], match[2] or "", match[3]


def follow(name: str, folder: Path) -> str:
    """Write the files and run the commands of a how-to in ``folder``; returns what was printed."""
    printed = ""
    for language, file, text in blocks(name):
        if file:
            write_text(folder / file, text)
        elif language == "bash":
            printed += run(text, folder)
    return printed


def run(commands: str, folder: Path) -> str:
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout[-5000:]
    return ran.stdout


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> tuple[str, Path, str]:
    """A how-to, the copy in which it was followed, and what its commands printed."""
    folder = copy_of_repository(tmp_path_factory.mktemp(request.param) / "repository")
    return request.param, folder, follow(request.param, folder)


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.parametrize("followed", CELLS, indirect=True)
def test_a_how_to_ends_with_scores(followed: tuple[str, Path, str]):
    name, folder, printed = followed
    for cell in CELLS[name]:
        scores = read_json(folder / f"results/mine/score/{cell}/seed-1/scores.json")
        assert scores["metrics"] and all("value" in metric for metric in scores["metrics"].values())
        assert set(scores["statuses"]) <= {"ok", "empty"}
    assert {"own-data": '"f1"', "own-model": "| My BERT |", "own-task": "PUNCTUATION BLEU"}[name] in printed


def test_every_how_to_is_followed_and_listed():
    names = {path.stem for path in HOWTOS.glob("*.md")} - {"README"}
    listed = set(re.findall(r"\(([\w-]+)\.md\)", read_text(HOWTOS / "README.md")))
    assert names == listed
    assert set(CELLS) <= names


@pytest.mark.parametrize("path", sorted(HOWTOS.glob("*.md")), ids=lambda path: path.stem)
def test_a_how_to_is_short(path: Path):
    assert read_text(path).count("\n") <= LONGEST


def test_a_task_of_ones_own_is_one_python_file():
    """Beside data and configuration, so that nothing of the project has to be edited."""
    written = [file for _, file, _ in blocks("own-task") if file]
    assert [file for file in written if (ROOT / file).exists()] == []
    assert [file for file in written if file.startswith("discobench/")] == ["discobench/tasks/punctuation.py"]
