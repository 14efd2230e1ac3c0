"""Paths that begin with public: lie in one folder, named by the configuration or the environment."""

from pathlib import Path

import pytest

from discobench.config.load import located, resolve


def test_every_text_at_any_depth_is_located():
    tree = {"a": "public:si", "b": [{"path": "public:x/y"}, "own:public:z"], "c": 3}
    assert located(tree, "/d") == {"a": "/d/si", "b": [{"path": "/d/x/y"}, "own:public:z"], "c": 3}


def files(user: dict, repository: Path) -> str:
    changes = {"tasks": {"nt": {"files": [{"path": "public:nt"}]}}}
    return resolve(changes | user, repository).tasks["nt"].files[0].path


def test_the_key_wins_over_the_environment_and_that_over_the_default(repository: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DISCOBENCH_PUBLIC_DATA", raising=False)
    assert files({}, repository) == "data/public/nt"
    monkeypatch.setenv("DISCOBENCH_PUBLIC_DATA", "/clones")
    assert files({}, repository) == "/clones/nt"
    assert files({"public_data": "mine"}, repository) == "mine/nt"
