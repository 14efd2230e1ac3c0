"""Encoded examples on disk: the same objects again, counted as they were, and made only once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import toys

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(
    ("family", "formulation"), [("encoder", "span"), ("encoder", "gaps"), ("encoder", "choice"), ("gpt2", "text")]
)
def test_what_was_encoded_comes_back(family: str, formulation: str, tmp_path: Path, monkeypatch: Any) -> None:
    from discobench.finetune import shelf

    learner, examples = toys.learner(family, formulation, tmp_path / "base"), toys.examples(formulation, 9, 1)
    wanted = [learner.encode(example) for example in examples]
    counted = {name: 2 * count for name, count in learner.facts().items()}
    monkeypatch.setattr(shelf, "ROWS", 4)
    first = shelf.shelved(learner, examples, tmp_path / "train.arrow")
    assert first.facts == counted and first.lengths == [learner.length(item) for item in wanted]

    def asked() -> Iterator[Any]:
        raise AssertionError("they are encoded again")
        yield

    for found in (first, shelf.shelved(learner, asked(), tmp_path / "train.arrow")):
        assert [found[number] for number in range(len(found))] == wanted
        assert found.facts == counted
    assert [path.name for path in sorted(tmp_path.glob("train*"))] == ["train.arrow", "train.facts.json"]


def test_a_file_without_its_counts_is_written_anew(tmp_path: Path) -> None:
    from discobench.finetune.shelf import shelved

    learner = toys.learner("encoder", "gaps", tmp_path / "base")
    (tmp_path / "train.arrow").write_bytes(b"half")
    assert len(shelved(learner, toys.examples("gaps", 3, 1), tmp_path / "train.arrow")) == 3


def test_no_examples_are_no_examples(tmp_path: Path) -> None:
    from discobench.finetune.shelf import shelved

    learner = toys.learner("encoder", "gaps", tmp_path / "base")
    assert len(shelved(learner, [], None)) == 0
