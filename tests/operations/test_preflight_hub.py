"""The preflight asks the hub for the very checkpoints."""

from pathlib import Path

import pytest

from discobench.config.load import resolve
from discobench.config.selection import Selection
from discobench.files import write_json
from discobench.operations import probe
from discobench.operations.preflight_hub import Hub, unknown
from tests.models.hub_server import COMMIT, hub
from tests.support import ROOT


def selection(source: str, revision: str | None = None) -> Selection:
    """One row that fine-tunes one checkpoint for one task."""
    base = {"source": f"hub:{source}", "revision": revision}
    wanted = {"rows": ["roberta-base"], "tasks": ["si"], "suites": [], "genres": []}
    return Selection(resolve({"checkpoints": {"roberta-base-zh": base}, "run": wanted}, ROOT))


def sentences(source: str, folder: Path, fetched: bool = False, token: bool = False) -> list[str]:
    """What is said where a hub has one checkpoint of ``folder``."""
    write_json(folder / "config.json", {})
    with hub(folder) as url:
        seen = Hub(url, probe.status, lambda name: fetched, {}, token)
        return [found.sentence().replace(url, "HUB") for found in unknown(selection(source), seen)]


def test_a_checkpoint_that_the_hub_has_is_not_missing(tmp_path: Path):
    assert sentences("a/here", tmp_path) == []


def test_a_mistyped_name_is_missing_unless_the_checkpoint_is_here_already(tmp_path: Path):
    (sentence,) = sentences("nobody/here", tmp_path)
    assert sentence == (
        "missing: checkpoints.roberta-base-zh.source: HUB has no config.json of nobody/here; "
        "mend the name or the revision."
    )
    assert sentences("nobody/here", tmp_path, fetched=True) == []


def test_a_checkpoint_that_is_not_for_everybody_is_missing_where_there_is_no_token(tmp_path: Path):
    (sentence,) = sentences("gated/here", tmp_path)
    assert sentence.startswith("missing: ") and "HUB does not show gated/here to everybody (401)" in sentence
    (sentence,) = sentences("gated/here", tmp_path, token=True)
    assert sentence.startswith("note: ")


def test_the_revision_that_is_named_or_was_fetched_before_is_asked_for(tmp_path: Path):
    asked: list[str] = []
    seen = Hub("HUB", lambda address: asked.append(address), lambda name: False, {"a/here": COMMIT}, False)
    assert [*unknown(selection("a/here"), seen), *unknown(selection("a/here", "refs/pr/1"), seen)] == []
    assert asked == [f"HUB/a/here/resolve/{at}/config.json" for at in (COMMIT, "refs%2Fpr%2F1")]


def test_what_is_said_here_is_said_of_the_hub_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(probe.OFFLINE, raising=False)
    with hub(tmp_path) as url:
        monkeypatch.setenv("HF_ENDPOINT", url)
        assert len(probe.not_on_the_hub(selection("nobody/here"), tmp_path)) == 1
        monkeypatch.setenv(probe.OFFLINE, "1")
        assert probe.not_on_the_hub(selection("nobody/here"), tmp_path) == []
