"""The how-tos, followed to the letter in a fresh copy: what they say to write and to run is written and run."""

import re
from pathlib import Path

import pytest

from discobench.files import read_json, read_text, sha256
from tests.conftest import ROOT, copy_of_repository
from tests.docs.howtos import HOWTOS, blocks, follow

CELLS = {
    "own-data": ["zpr/majority", "zpr/copy", "zpr/roberta-base"],
    "own-genre": ["ti/random"],
    "own-model": ["si/majority", "si/my-bert"],
    "own-task": ["punctuation/copy", "punctuation/bart-large"],
    "submission": ["si/majority", "mrc/majority"],
}
"""How-to -> the cells that it scores. ``api-model`` needs a server and is followed in tests/decode."""
PRINTED = {
    "own-data": '"f1"',
    "own-genre": "Letter\n",
    "own-model": "| My BERT |",
    "own-task": "PUNCTUATION BLEU",
    "submission": '"value"',
}
LONGEST = 80


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
    assert PRINTED[name] in printed


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.parametrize("followed", ["own-task"], indirect=True)
def test_what_was_learned_shows(followed: tuple[str, Path, str]):
    """The model of the tenth task puts marks where they belong, which copying cannot."""
    _, folder, _ = followed
    copied, learned = (
        read_json(folder / f"results/mine/score/{cell}/seed-1/scores.json")["metrics"]["bleu"]["value"]
        for cell in CELLS["own-task"]
    )
    assert copied < learned


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.parametrize("followed", ["submission"], indirect=True)
def test_a_submission_is_a_row_of_the_leaderboard(followed: tuple[str, Path, str]):
    _, folder, printed = followed
    (scores,) = (folder / "results/mine/submissions").glob("*/scores.json")
    found = read_json(scores)
    page = read_text(folder / "results/mine/leaderboard/index.html")
    assert all(text in page for text in ("Shortest choice", "2026-11-30", "CC-BY-4.0", found["sha256"]))
    assert found["sha256"] == sha256(folder / "shortest.jsonl")
    own = read_json(folder / "results/mine/score/mrc/majority/seed-1/scores.json")["metrics"]["accuracy"]
    assert found["scores"]["mrc"]["metrics"]["accuracy"]["signature"] == own["signature"]
    assert "finetune" not in printed
    shown = read_text(folder / "results/mine/leaderboard/task-mrc.html")
    styles = shown[shown.index("<h2>By style") : shown.index("<h2>Examples")]
    assert f'href="index.html#submission-{found["sha256"][:12]}">Shortest choice' in styles


def test_every_how_to_is_followed_and_listed():
    names = {path.stem for path in HOWTOS.glob("*.md")} - {"README"}
    listed = set(re.findall(r"\(([\w-]+)\.md\)", read_text(HOWTOS / "README.md")))
    assert names == listed
    assert {*CELLS, "api-model"} == names


@pytest.mark.parametrize("path", sorted(HOWTOS.glob("*.md")), ids=lambda path: path.stem)
def test_a_how_to_is_short(path: Path):
    assert read_text(path).count("\n") <= LONGEST


def test_a_task_of_ones_own_is_one_python_file():
    """Beside data and configuration, so that nothing of the project has to be edited."""
    written = [file for _, file, _ in blocks("own-task") if file]
    assert [file for file in written if (ROOT / file).exists()] == []
    assert [file for file in written if file.startswith("discobench/")] == ["discobench/tasks/punctuation.py"]
