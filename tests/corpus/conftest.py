"""Folders of raw files and shapes of records that the tests of the corpus share."""

import tempfile
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discobench.corpus.duplicates import decide
from discobench.corpus.formats.base import Limits
from discobench.corpus.ingest import Kind, ingest
from discobench.corpus.listing import Place
from discobench.corpus.matches import PARTS, candidates, entries, matches
from discobench.corpus.measures import Look, measures
from discobench.corpus.rules import Rules, read_rules
from discobench.corpus.signatures import Signer, bands
from discobench.corpus.sources import list_sources, of_shard, read_sources, written
from discobench.corpus.verdicts import Verdicts
from discobench.parquet import iterate_tables, read_parquet, write_tables
from discobench.schema import empty, schema

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
def ingested(
    kind: Callable[..., Kind], rules: dict[str, Rules], bounds: Limits, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Ingested]:
    """All records of a folder, read in a number of shards, with unique ids."""

    def make(folder: Path, document: str = "file", language: str = "zh", shards: int = 1, **keys: Any) -> Ingested:
        limits = keys.pop("limits", bounds)
        place = {name: keys[name] for name in ("format",) if name in keys} | {"files": keys.pop("files", [])}
        listing = Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp())) / "sources.jsonl"
        total = written(listing, list_sources(Place("genres.g", str(folder), document, language, **place), limits))
        parts = [of_shard(read_sources(listing), total["bytes"], shard, shards) for shard in range(shards)]
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


@pytest.fixture
def repeated(tmp_path: Path) -> Callable[..., list[tuple[str, int, int, str | None, str]]]:
    """Writes documents as shards and decides which of them repeat: rows of schema ``duplicate``."""

    def rows(
        shards: list[list[dict[str, Any]]],
        buckets: int = 1,
        threshold: float = 0.8,
        failing: Iterable[str] = (),
        rules: Rules | None = None,
        most: int = PARTS,
    ) -> list[tuple[str, int, int, str | None, str]]:
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        files = [signed(folder / str(n), records, threshold, rules) for n, records in enumerate(shards)]
        signatures, bands = ([shard / f"{name}.parquet" for shard in files] for name in ("signatures", "bands"))
        parts = [read_parquet(path, "signature") for path in signatures]
        firsts = [0, *accumulate(map(len, parts))][:-1]
        found = []
        for bucket in range(buckets):
            for shared in entries(bands, firsts, bucket, buckets).pieces(most):
                found.append(matches(shared, candidates(signatures, shared.distinct(), 128), threshold))
        codes = np.array([part["id"] in failing for shard in parts for part in shard], np.uint8)
        verdicts = Verdicts(decide(codes, lambda: found), {str(path): path for path in signatures})
        rows = [row for table in verdicts.tables() for row in table.to_pylist()]
        assert verdicts.kept + len(rows) == sum(map(len, parts))
        return [tuple(row.values()) for row in rows]

    return rows


def measured(record: dict[str, Any], abbreviations: frozenset[str]) -> dict[str, Any]:
    """A record of schema ``document`` with everything that follows from its text."""
    found = measures(Look.at([record["text"]]), record["language"], abbreviations)
    pairs = zip(found.spans.starts.tolist(), found.spans.ends.tolist(), strict=True)
    spans = [{"start": start, "end": end} for start, end in pairs]
    return {**record, "sentence_offsets": spans, "units": int(found.units[0]), "sha256": found.digests[0]}


def signed(folder: Path, records: list[dict[str, Any]], threshold: float, rules: Rules | None) -> Path:
    """The files of rule ``signatures`` for one shard."""
    table = pa.Table.from_pylist(records, schema=schema("document"))
    write_tables(folder / "signatures.parquet", [Signer(rules, 128, 5)(table)], "signature")
    stored = iterate_tables(folder / "signatures.parquet", "signature", ["sha256", "signature"])
    write_tables(folder / "bands.parquet", bands(stored, 128, threshold), "band")
    return folder
