"""Folders of raw files and shapes of records that the tests of the corpus share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discobench.corpus.formats.base import Limits, Source
from discobench.corpus.ingest import Kind, ingest
from discobench.corpus.listing import Place
from discobench.corpus.rules import Rules, read_rules
from discobench.corpus.sources import list_sources, of_shard
from discobench.schema import empty

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def rules() -> dict[str, Rules]:
    return {language: read_rules(ROOT / f"resources/cleaning/{language}.yaml") for language in ("zh", "en")}


@pytest.fixture
def kind() -> Callable[..., Kind]:
    def make(folder: Path, document: str = "file", language: str = "zh", **keys: Any) -> Kind:
        return Kind(str(folder), document, language, "Electronic", "Novel", **keys)

    return make


@pytest.fixture(scope="session")
def bounds() -> Limits:
    return Limits(max_document_bytes=5_000_000, max_unpacked_bytes=1 << 34, max_ratio=200)


Ingested = list[tuple[dict[str, Any], str | None]]


@pytest.fixture
def ingested(kind: Callable[..., Kind], rules: dict[str, Rules], bounds: Limits) -> Callable[..., Ingested]:
    """All records of a folder, read in a number of shards, with unique ids."""

    def make(folder: Path, document: str = "file", language: str = "zh", shards: int = 1, **keys: Any) -> Ingested:
        limits = keys.pop("limits", bounds)
        place = {name: keys[name] for name in ("files", "format") if name in keys}
        entries = list_sources(Place("genres.g", str(folder), document, language, **place), limits)
        sources = [Source(**{name: value for name, value in entry.items() if name != "sha256"}) for entry in entries]
        parts = [of_shard(sources, shard, shards) for shard in range(shards)]
        one = kind(folder, document, language, **keys)
        found = [row for part in parts for row in ingest("g", one, part, rules[language], limits)]
        assert len({record["id"] for record, _ in found}) == len(found)
        return [(dict(record), reason) for record, reason in found]

    return make


@pytest.fixture
def document() -> Callable[..., dict[str, Any]]:
    def make(text: str, id: str = "g:w:000000", **fields: Any) -> dict[str, Any]:
        base = {"id": id, "source": "g", "work_id": "g:w", "language": "zh", "split": "train"}
        return {**empty("document"), **base, "text": text, **fields}

    return make
