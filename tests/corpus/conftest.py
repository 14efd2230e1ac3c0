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
from discobench.corpus.ingest import Kind
from discobench.corpus.matches import candidates, entries, matches
from discobench.corpus.measures import measures
from discobench.corpus.rules import Rules, read_rules
from discobench.corpus.signatures import Signer, bands
from discobench.corpus.verdicts import Verdicts
from discobench.parquet import iterate_tables, read_parquet, write_tables
from discobench.schema import empty, schema

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


@pytest.fixture
def repeated(tmp_path: Path) -> Callable[..., list[tuple[str, int, int, str | None, str]]]:
    """Writes documents as shards and decides which of them repeat: rows of schema ``duplicate``."""

    def rows(
        shards: list[list[dict[str, Any]]],
        buckets: int = 1,
        threshold: float = 0.8,
        failing: Iterable[str] = (),
        rules: Rules | None = None,
    ) -> list[tuple[str, int, int, str | None, str]]:
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        files = [signed(folder / str(n), records, threshold, rules) for n, records in enumerate(shards)]
        signatures, bands = ([shard / f"{name}.parquet" for shard in files] for name in ("signatures", "bands"))
        parts = [read_parquet(path, "signature") for path in signatures]
        firsts = [0, *accumulate(map(len, parts))][:-1]
        found = []
        for bucket in range(buckets):
            shared = entries(bands, firsts, bucket, buckets)
            found.append(matches(shared, candidates(signatures, shared.distinct(), 128), threshold))
        codes = np.array([part["id"] in failing for shard in parts for part in shard], np.uint8)
        verdicts = Verdicts(decide(codes, lambda: found), {str(path): path for path in signatures})
        rows = [row for table in verdicts.tables() for row in table.to_pylist()]
        assert verdicts.kept + len(rows) == sum(map(len, parts))
        return [tuple(row.values()) for row in rows]

    return rows


def measured(record: dict[str, Any], abbreviations: frozenset[str]) -> dict[str, Any]:
    """A record of schema ``document`` with everything that follows from its text."""
    found = measures([record["text"]], record["language"], abbreviations)
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
