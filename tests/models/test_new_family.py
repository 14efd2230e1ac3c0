"""A family of models is one file: dropped among the others it is configured, drawn, trained and asked."""

from pathlib import Path

import pytest

from discobench import models
from discobench.config.load import parse
from discobench.config.selection import Selection
from discobench.errors import DiscoError
from tests import toys

SOURCE = """\
from discobench.models.encoder import Encoder


class Mine(Encoder):
    name = 'mine'  # as the module
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "family").mkdir()
    (tmp_path / "family/mine.py").write_text(SOURCE, encoding="utf-8", newline="\n")
    monkeypatch.setattr(models, "__path__", [*models.__path__, str(tmp_path / "family")])


def test_families_are_known_by_their_files() -> None:
    assert models.families() == ["bart", "encoder", "gpt2", "llm", "mbart", "plain", "t5"]


def test_a_family_that_has_no_file_is_named(tree: dict) -> None:
    tree["checkpoints"]["bert-base-zh"]["family"] = "encodr"
    with pytest.raises(DiscoError, match=r"bert-base-zh\.family: found 'encodr'.*did you mean 'encoder'"):
        parse(tree, "config.yaml")


def test_a_file_makes_a_family_known(tree: dict, mine: None) -> None:
    tree["checkpoints"]["anchibert"]["family"] = "mine"
    chosen = Selection(parse(tree, "config.yaml"))
    assert chosen.trained("anchibert") and chosen.family("anchibert") == "mine"


@pytest.mark.torch
@pytest.mark.slow
def test_a_family_of_a_new_file_answers(tmp_path: Path, mine: None) -> None:
    from discobench.models.base import Decoding

    found = models.family("mine")
    found.tiny(tmp_path / "base", toys.TEXTS * 20, {"language": "zh", "vocabulary": 300}, 1)
    learner = found.learner(tmp_path / "base", toys.settings("choice"), 1)
    assert [p.status for p in learner.predict(toys.examples("choice", 3, 1), Decoding())] == ["ok"] * 3
