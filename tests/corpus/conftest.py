"""Folders of raw files and shapes of records that the tests of the corpus share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discobench.corpus.ingest import Kind
from discobench.corpus.rules import Rules, read_rules
from discobench.schema import empty

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def rules() -> dict[str, Rules]:
    return {language: read_rules(ROOT / f"resources/cleaning/{language}.yaml") for language in ("zh", "en")}


@pytest.fixture
def kind() -> Callable[..., Kind]:
    def make(folder: Path, document: str = "file", language: str = "zh") -> Kind:
        return Kind(str(folder), document, language, "Electronic", "Novel")

    return make


@pytest.fixture
def document() -> Callable[..., dict[str, Any]]:
    def make(text: str, id: str = "g:w:000000", **fields: Any) -> dict[str, Any]:
        base = {"id": id, "source": "g", "work_id": "g:w", "language": "zh", "split": "train"}
        return {**empty("document"), **base, "text": text, **fields}

    return make
